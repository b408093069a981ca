# Completion of promptc for fish. The program says what may follow.
function __promptc_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l word (commandline -ct | string replace -ra '["\']' '')
    set -l option (string match -r '^--[^=]*=' -- $word)
    set -l path (string replace -r '^--[^=]*=' '' -- $word)
    for line in ($program $words "$word" --generate-bash-completion 2>/dev/null)
        switch $line
            case :files
                for found in (__fish_complete_path "$path")
                    printf '%s%s\n' "$option" $found
                end
            case :folders
                for found in (__fish_complete_directories "$path" '')
                    printf '%s%s\n' "$option" $found
                end
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c promptc -f -a '(__promptc_complete)'
