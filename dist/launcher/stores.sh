# Sourced. Says whether the arguments of a command name a kind of store: names_store KIND ARGUMENT...
# They name it by flags, or in the file of settings that --config names.

names_store() {
    kind_of_store=$1
    shift
    case $(named_stores "$@" | tr '[:upper:]' '[:lower:]') in
        *"$kind_of_store"*) return 0 ;;
        *) return 1 ;;
    esac
}

named_stores() {
    before=
    for argument; do
        case "$before $argument" in
            '--store '* | '--set store='*) echo "$argument" ;;
            *' --store='* | *' --set=store='*) echo "$argument" ;;
            '--config '*) stores_in "$argument" ;;
            *' --config='*) stores_in "${argument#--config=}" ;;
        esac
        before=$argument
    done
}

stores_in() {
    [ ! -f "$1" ] || sed -n 's/^[[:space:]]*store[[:space:]]*[=:[:space:]]//p' "$1"
}
