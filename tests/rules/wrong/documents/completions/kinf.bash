# bash
_kinf_flags_global="--help"
