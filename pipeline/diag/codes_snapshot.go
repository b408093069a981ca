package diag

// Codes of the stage snapshot.
const (
	// FolderRefused is a folder for snapshots or artifacts that a build must
	// not write to, because it holds a source.
	FolderRefused Code = "PC7001"
	// FolderUnmarked is a snapshot folder that holds other people's files.
	FolderUnmarked Code = "PC7002"
	// ForeignFile is something under the snapshot folder that no build wrote.
	ForeignFile Code = "PC7003"
	// PathOccupied is a place of an output where something else stands that
	// is no ordinary file, or a place that a symbolic link leads to.
	PathOccupied Code = "PC7004"
	// FullUnknown is an entry of snapshots.full that names no variant.
	FullUnknown Code = "PC7005"
	// SnapshotCRLF says that snapshots in the tree have CRLF line ends.
	SnapshotCRLF Code = "PC7006"
	// FullRendered is an entry of snapshots.full that names a prompt which is
	// rendered elsewhere.
	FullRendered Code = "PC7007"
	// ArtifactsUnowned is an artifact folder, or a file in the place of an
	// artifact, that no build wrote.
	ArtifactsUnowned Code = "PC7008"
	// ArtifactKept is an artifact that nothing wants any more and that stays,
	// since somebody changed it.
	ArtifactKept Code = "PC7009"
)

var snapshotCodes = []Entry{
	{Code: FolderRefused, Level: Error, Title: "a build must not write to this folder", Explanation: `
A build owns the folders at ` + "`snapshots.path` and `artifacts`" + `: it replaces and removes files there. So neither may hold anything
else that the build needs, the manifest or a source.

Nothing was written. Choose another folder:

` + "```yaml\nsnapshots: {path: snapshots}\nartifacts: dist\n```"},
	{Code: FolderUnmarked, Level: Error, Title: "the snapshot folder holds files that no build wrote", Explanation: `
Below the snapshot folder, files that no prompt needs any more are removed. To be sure that the folder is meant for that, the
first line of its ` + "`README.md`" + ` has to be the mark that a build writes there. This folder is not empty and has no such mark.

Nothing was written. Point ` + "`snapshots.path`" + ` at a folder that is empty or does not exist, or move the files away. When the folder
holds snapshots and only its README.md was edited, delete README.md: the next build writes it again.`},
	{Code: ForeignFile, Level: Error, Title: "something under the snapshot folder is not a snapshot", Explanation: `
A build writes ` + "`README.md`, and for each prompt `outline.txt`, files in `sections/`, `tools/` and `full/`" + `, and for what conversations say
` + "`legend.txt`, `tree.txt` and files in `files/`, `symbols/`, `history/`, `urls/`, `review/`, `prompt/` and `images/`" + `. Anything else under the
snapshot folder was put there by somebody else: a leftover of a merge, a note, a file of another tool. It is neither read nor
removed, but it is reported, because reviewers take what stands there for output.

Move it somewhere else or delete it. Symbolic links and special files are reported too and never followed.`},
	{Code: PathOccupied, Level: Error, Title: "something stands where a file must be written", Explanation: `
A build has a file to write at this path, but there is a folder, a symbolic link or a special file at it or on the way to it.
Links are not followed, since they may lead out of the project.

Nothing was written. Move the thing away, then build again.`},
	{Code: FullUnknown, Level: Error, Title: "snapshots.full names no variant", Explanation: `
` + "`snapshots: {full: […]}`" + ` lists variants whose whole text is kept beside the factored snapshots. An entry is a variant's name, as
` + "`promptc list`" + ` prints it, a part of one (` + "`persona/entry=full`" + `: all variants there), or a prompt (all of its variants). What is a
variant's own name stands for that variant alone. This entry names a prompt, an axis or a value that does not exist, or variants of which none is built.

` + "```yaml\nsnapshots: {full: [\"persona/entry=full,tools=native\"]}\n```"},
	{Code: SnapshotCRLF, Level: Warning, Title: "snapshots in the tree have CRLF line ends", Explanation: `
Snapshots are compared byte for byte. Git on Windows may have changed their line ends at checkout, so that all of them count as
changed. Tell git to leave them as they are, in ` + "`.gitattributes`" + `, and check them out again:

` + "```\nsnapshots/** -text -linguist-generated diff=markdown\nsnapshots/README.md linguist-generated\n```"},
	{Code: FullRendered, Level: Error, Title: "a whole snapshot of a prompt that is rendered elsewhere", Explanation: `
The texts of a prompt with ` + "`rendered`" + ` are in the repository already, written by another program: promptc keeps no snapshots of
them. Remove the entry from ` + "`snapshots.full`" + `.`},
	{Code: ArtifactsUnowned, Level: Error, Title: "the artifact folder holds something that no build wrote", Explanation: `
A build replaces and removes files in the folder at ` + "`artifacts`" + `. To be sure that they are its own, it asks the ` + "`manifest.json`" + ` there, which
an earlier build wrote and which records the SHA-256 of every file. Nothing else is ever replaced or removed.

Either the folder is not empty and has no such manifest: empty it, move its files away, or choose another folder. Or a file stands in
the place of an artifact and has bytes that the manifest does not record, because somebody edited it or put it there: delete it, then
build again. Nothing was written, no snapshots either.

` + "```yaml\nartifacts: dist\n```"},
	{Code: ArtifactKept, Level: Warning, Title: "an artifact that is not built any more was changed, and is kept", Explanation: `
The ` + "`manifest.json`" + ` of an earlier build names this file, and no variant has it any more. A build removes such files, but only where they
hold the bytes whose SHA-256 the manifest records. This one holds others, so somebody else wrote it. It is kept, and the next build
knows nothing of it. Delete it if nobody needs it.`},
}
