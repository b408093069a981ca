# Completion of promptc for bash. The program says what may follow.
_promptc() {
  local words last word typed=$2 reply name prefix='' line=${COMP_LINE:0:COMP_POINT}
  # The words as they were typed: bash has cut them at = and : as well. The dot
  # keeps a last word that is empty.
  # shellcheck disable=SC2162 # what a backslash quotes is meant as it is
  IFS=$' \t\n' read -d '' -a words <<<"${line//[\"\']/}."
  last=$((${#words[@]} - 1))
  word=${words[last]%.}
  COMPREPLY=()
  # What bash replaces is only the part behind the last = or :.
  if [[ $word == *"$typed" ]]; then prefix=${word%"$typed"}; fi
  while IFS= read -r reply; do
    case $reply in
      :files | :folders)
        while IFS= read -r name; do
          COMPREPLY+=("$name")
          compopt -o filenames 2>/dev/null
        done < <(if [[ $reply == :files ]]; then compgen -f -- "$typed"; else compgen -d -- "$typed"; fi)
        ;;
      *)
        reply=${reply%%$'\t'*}
        COMPREPLY+=("${reply#"$prefix"}")
        ;;
    esac
  done < <("${1/#\~/$HOME}" "${words[@]:1:last-1}" "$word" --generate-bash-completion 2>/dev/null)
}
complete -F _promptc promptc
