#compdef promptc
# Completion of promptc for zsh. The program says what may follow.
_promptc() {
  local line want
  local -a found
  for line in ${(f)"$(${~words[1]} "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" --generate-bash-completion 2>/dev/null)"}; do
    case $line in
      :files | :folders) want=$line ;;
      *)
        line=${line//:/\\:}
        found+=("${line/$'\t'/:}")
        ;;
    esac
  done
  local failed=1
  (( $#found )) && _describe promptc found && failed=0
  if [[ -n $want ]]; then
    compset -P '--*='
    if [[ $want == :files ]]; then _files; else _files -/; fi && failed=0
  fi
  return failed
}
# As a file of $fpath, this is the body of the function on its first call.
if [[ ${funcstack[1]} == _promptc ]]; then
  _promptc "$@"
else
  compdef _promptc promptc
fi
