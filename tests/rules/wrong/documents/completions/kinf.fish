# fish
complete -c kinf -f
