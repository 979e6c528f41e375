# SPDX-License-Identifier: Apache-2.0
# fish completion for kinf, which `kinf completion fish` prints. `kinf __complete` knows the words.

# Prints what can replace the word at the cursor.
function __kinf_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct | string unescape --no-quoted 2>/dev/null; or commandline -ct)
    set -l dashes (contains -i -- -- $words)
    if test -n "$dashes" # the command after `--`
        complete -C (string join -- ' ' (string escape -- $words[(math $dashes + 1)..]) $word)
        return
    end
    set -l answer ($words[1] __complete $words[2..] "$word" 2>/dev/null)
    set -l directive (string sub -s 2 -- $answer[-1])
    set -e answer[-1]
    # The candidates for a flag's value replace the text after `=`.
    set -l flag (string match -r -- '^-[^=]*=' "$word")
    if test (count $answer) -gt 0
        string replace -r '^' -- "$flag" $answer
        # fish adds a space after a single candidate, except after a character such as `=`.
        if test (count $answer) -eq 1; and test (math "floor($directive / 2) % 2") -eq 1
            not string match -qr -- '[@=/:.,]$' $answer; and echo -- "$flag$answer."
        end
    else if test (math "floor($directive / 16) % 2") -eq 1
        __fish_complete_directories (string sub -s (math (string length -- "$flag") + 1) -- "$word") |
            string replace -r '^' -- "$flag"
    else if test (math "floor($directive / 4) % 2") -eq 0
        __fish_complete_path (string sub -s (math (string length -- "$flag") + 1) -- "$word") |
            string replace -r '^' -- "$flag"
    end
end

complete -c kinf -f -k -a '(__kinf_complete)'
