# promptc with git, as a user without rights:
#
#   docker build -t promptc .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" promptc check
#
# With --user, the repository belongs to the user in the container, which git asks for.
FROM golang:1.26.8-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY cmd cmd
COPY pipeline pipeline
COPY schema schema
# What promptc says of itself; git is not in the context.
ARG VERSION=""
ARG COMMIT=""
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false \
    -ldflags "-s -w -X main.release=$VERSION -X main.releaseCommit=$COMMIT" -o /promptc ./cmd/promptc

FROM alpine:3.24
# Alpine's mirrors drop old packages, so git has no pinned version.
RUN apk add --no-cache git \
    && addgroup -g 65532 promptc \
    && adduser -D -u 65532 -G promptc promptc
COPY --from=build /promptc /usr/local/bin/promptc
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["promptc"]
