// Completion of the command line, as the shells want it. `bristle words` gives them scenes and parameters.
#pragma once

#include <string_view>

namespace bristle::cli {

inline constexpr std::string_view bash_completion =
    R"sh(# bristle's completion for bash: source <(bristle completion bash)
_bristle_words() {
    "${COMP_WORDS[0]}" words "$@" 2>/dev/null
}
# Offers the lines of standard input that start with $1, with $2 before and $3 after each.
_bristle_offer() {
    local line
    while IFS= read -r line; do
        [[ -n $line && $line == "$1"* ]] && COMPREPLY+=("$2$(printf %q "$line")$3")
    done
}
_bristle_scenes() {
    _bristle_offer "$1" < <(_bristle_words scenes)
    _bristle_files "$1" "$2"
}
# Files of this ending, and the folders they may be in.
_bristle_files() {
    _bristle_offer "$1" < <(compgen -f -- "$1" | grep -E "$2")
    _bristle_offer "$1" "" / < <(compgen -d -- "$1")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
}
_bristle() {
    local current=${COMP_WORDS[COMP_CWORD]//\\/} previous=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} scene="" i
    local commands="run view record replay repair export study excavator info check scenes schema completion validate bench"
    COMPREPLY=()
    if (( COMP_CWORD == 1 )); then
        _bristle_offer "$current" < <(printf '%s\n' $commands --help --version)
        return
    fi
    # The first word after the command that is no option, nor the value of one.
    for (( i = 2; i < COMP_CWORD; ++i )); do
        case ${COMP_WORDS[i]} in
            --set|--allow|--step|--time|--solver|--out|--quantities|--every|--peers|--listen|--port|--certificate|--key|--inputs|--record|--inputs-from|--speed|--format|--scene|--autopilot|--minutes) (( ++i )) ;;
            -*) ;;
            =) (( ++i )) ;;
            *) [[ ${COMP_WORDS[i-1]} != = ]] && { scene=${COMP_WORDS[i]}; break; } ;;
        esac
    done
    case $previous in
        --set)
            [[ -n $scene ]] && _bristle_offer "$current" "" = < <(_bristle_words parameters "$scene")
            compopt -o nospace 2>/dev/null
            return ;;
        --solver)
            _bristle_offer "$current" < <(printf '%s\n' augmented_lagrangian baumgarte penalty independent_coordinates impulse)
            return ;;
        --out|--peers)
            _bristle_offer "$current" < <(compgen -d -- "$current")
            return ;;
        --quantities)
            if [[ $command != info ]]; then
                local before=""
                [[ $current == *,* ]] && before=${current%,*},
                [[ -n $scene ]] && _bristle_offer "${current##*,}" "$before" < <(_bristle_words quantities "$scene")
                compopt -o nospace 2>/dev/null
                return
            fi ;;
        --autopilot)
            _bristle_offer "$current" < <(printf '%s\n' dig-and-load)
            return ;;
        --scene)
            _bristle_scenes "$current" '\.ya?ml$'
            return ;;
        --format)
            _bristle_offer "$current" < <(printf '%s\n' csv json vtk foxglove scene)
            return ;;
        --step|--time|--every|--listen|--port|--speed|--minutes) return ;;
        --certificate|--key|--inputs|--record|--inputs-from)
            _bristle_offer "$current" < <(compgen -f -- "$current")
            return ;;
    esac
    local options=--help
    case $command in
        run) options+=" --set --step --time --solver --out --quantities --every --json --quiet" ;;
        record) options+=" --set --step --time --solver --out --inputs-from --speed --json --quiet" ;;
        replay) options+=" --check --json --listen --port --certificate --key --paused --open-browser" ;;
        export) options+=" --format --set --step --time --solver --quantities --every --out" ;;
        view) options+=" --set --step --solver --listen --port --certificate --key --inputs --record --paused --realtime --open-browser" ;;
        study) options+=" --set --step --time --solver --out --quantities --final --max --min --json --quiet" ;;
        excavator) options+=" --scene --set --step --solver --autopilot --minutes --record --out --spacing --consumption --density --json --quiet --listen --port --certificate --key --paused --open-browser" ;;
        info) options+=" --set --quantities --json" ;;
        check) options+=" --set --json" ;;
        scenes|validate) options+=" --json" ;;
        bench) options+=" --json --quick --peers" ;;
    esac
    if [[ $current == -* ]]; then
        _bristle_offer "$current" < <(printf '%s\n' $options)
        return
    fi
    case $command in
        run|record|study) [[ -z $scene ]] && _bristle_scenes "$current" '\.ya?ml$' ;;
        view|info|export) [[ -z $scene ]] && _bristle_scenes "$current" '\.(ya?ml|mcap)$' ;;
        replay|repair) [[ -z $scene ]] && _bristle_files "$current" '\.mcap$' ;;
        check) _bristle_scenes "$current" '\.ya?ml$' ;;
        validate) [[ -z $scene ]] && _bristle_offer "$current" < <(_bristle_words suites) ;;
        bench) [[ -z $scene ]] && _bristle_offer "$current" < <(printf '%s\n' mechanisms machine far bodies conforming field live) ;;
        completion) [[ -z $scene ]] && _bristle_offer "$current" < <(printf '%s\n' bash zsh fish) ;;
        excavator) [[ -z $scene ]] && _bristle_offer "$current" < <(printf '%s\n' report) ;;
    esac
}
complete -F _bristle bristle
)sh";

inline constexpr std::string_view zsh_completion = R"sh(#compdef bristle
# bristle's completion for zsh, after compinit: source <(bristle completion zsh)
_bristle() {
    local program=$words[1] command=$words[2] previous=$words[CURRENT-1] scene="" i
    local -a list options
    if (( CURRENT == 2 )); then
        compadd run view record replay repair export study excavator info check scenes schema completion validate bench
        return
    fi
    # The first word after the command that is no option, nor the value of one.
    for (( i = 3; i < CURRENT; ++i )); do
        case $words[i] in
            --set|--step|--time|--solver|--out|--quantities|--every|--peers|--listen|--port|--certificate|--key|--inputs|--record|--inputs-from|--speed|--format|--scene|--autopilot|--minutes) (( ++i )) ;;
            -*) ;;
            *) scene=${(Q)words[i]}; break ;;
        esac
    done
    case $previous in
        --set)
            list=("${(@f)$($program words parameters $scene 2>/dev/null)}")
            compadd -S = -a list
            return ;;
        --solver)
            compadd augmented_lagrangian baumgarte penalty independent_coordinates impulse
            return ;;
        --out|--peers)
            _files -/
            return ;;
        --quantities)
            if [[ $command != info ]]; then
                list=("${(@f)$($program words quantities $scene 2>/dev/null)}")
                compset -P '*,'
                compadd -S '' -a list
                return
            fi ;;
        --autopilot)
            compadd dig-and-load
            return ;;
        --scene)
            list=("${(@f)$($program words scenes 2>/dev/null)}")
            compadd -a list
            _files -g '*.(yaml|yml)'
            return ;;
        --format)
            compadd csv json vtk foxglove scene
            return ;;
        --step|--time|--every|--listen|--port|--speed|--minutes) return ;;
        --certificate|--key|--inputs|--record|--inputs-from)
            _files
            return ;;
    esac
    if [[ $PREFIX == -* ]]; then
        options=(--help)
        case $command in
            run) options+=(--set --step --time --solver --out --quantities --every --json --quiet) ;;
            record) options+=(--set --step --time --solver --out --inputs-from --speed --json --quiet) ;;
            replay) options+=(--check --json --listen --port --certificate --key --paused --open-browser) ;;
            export) options+=(--format --set --step --time --solver --quantities --every --out) ;;
            view) options+=(--set --step --solver --listen --port --certificate --key --inputs --record --paused --realtime --open-browser) ;;
            study) options+=(--set --step --time --solver --out --quantities --final --max --min --json --quiet) ;;
            excavator) options+=(--scene --set --step --solver --autopilot --minutes --record --out --spacing --consumption --density --json --quiet --listen --port --certificate --key --paused --open-browser) ;;
            info) options+=(--set --quantities --json) ;;
            check) options+=(--set --json) ;;
            scenes|validate) options+=(--json) ;;
            bench) options+=(--json --quick --peers) ;;
        esac
        compadd -a options
        return
    fi
    [[ -n $scene && $command != check ]] && return
    case $command in
        replay|repair) _files -g '*.mcap' ;;
        run|view|record|export|study|info|check)
            list=("${(@f)$($program words scenes 2>/dev/null)}")
            compadd -a list
            _files -g '*.(yaml|yml|mcap)' ;;
        validate)
            list=("${(@f)$($program words suites 2>/dev/null)}")
            compadd -a list ;;
        bench) compadd mechanisms machine far bodies conforming field live ;;
        completion) compadd bash zsh fish ;;
        excavator) compadd report ;;
    esac
}
# Sourced, or loaded from a file of this name when it is first needed.
if [[ $funcstack[1] == _bristle ]]; then _bristle "$@"; else compdef _bristle bristle; fi
)sh";

inline constexpr std::string_view fish_completion =
    R"sh(# bristle's completion for fish: bristle completion fish | source
function __bristle_scene
    set -l words (commandline -opc)
    test (count $words) -ge 3; and echo $words[3]
end
function __bristle_in
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end
complete -c bristle -f
complete -c bristle -n __fish_use_subcommand -a 'run view record replay repair export study excavator info check scenes schema completion validate bench'
complete -c bristle -n '__bristle_in view info replay repair export' -k -a '(__fish_complete_suffix .mcap)'
complete -c bristle -n '__bristle_in run view record export study info check' -k -a '(bristle words scenes; __fish_complete_suffix .yaml)'
complete -c bristle -n '__bristle_in validate' -a '(bristle words suites)'
complete -c bristle -n '__bristle_in bench' -a 'mechanisms machine far bodies conforming field live'
complete -c bristle -n '__bristle_in completion' -a 'bash zsh fish'
complete -c bristle -n '__bristle_in excavator' -a report
for option in scene set out spacing consumption density json quiet
    complete -c bristle -n '__bristle_in excavator' -l $option
end
complete -c bristle -n '__bristle_in run view record export study info check' -l set -x -a '(bristle words parameters (__bristle_scene) | string replace -r \$ =)'
complete -c bristle -n '__bristle_in run study' -l quantities -x -a '(bristle words quantities (__bristle_scene))'
complete -c bristle -n '__bristle_in info' -l quantities
complete -c bristle -n '__bristle_in run view record export study excavator' -l solver -x -a 'augmented_lagrangian baumgarte penalty independent_coordinates impulse'
complete -c bristle -n '__bristle_in run view record export study excavator' -l step -x
complete -c bristle -n '__bristle_in run record export study' -l time -x
complete -c bristle -n '__bristle_in run export' -l every -x
complete -c bristle -n '__bristle_in run study' -l out -x -a '(__fish_complete_directories)'
complete -c bristle -n '__bristle_in run record study excavator' -l quiet
complete -c bristle -n '__bristle_in view replay excavator' -l listen -x
complete -c bristle -n '__bristle_in view replay excavator' -l port -x
complete -c bristle -n '__bristle_in view replay excavator' -l certificate -r -F
complete -c bristle -n '__bristle_in view replay excavator' -l key -r -F
complete -c bristle -n '__bristle_in view' -l inputs -r -F
complete -c bristle -n '__bristle_in view excavator' -l record -r -F
complete -c bristle -n '__bristle_in view replay excavator' -l paused
complete -c bristle -n '__bristle_in view' -l realtime
complete -c bristle -n '__bristle_in view replay excavator' -l open-browser
complete -c bristle -n '__bristle_in record' -l out -r -F
complete -c bristle -n '__bristle_in record' -l inputs-from -r -F
complete -c bristle -n '__bristle_in record' -l speed -x
complete -c bristle -n '__bristle_in replay' -l check
complete -c bristle -n '__bristle_in export' -l format -x -a 'csv json vtk foxglove scene'
complete -c bristle -n '__bristle_in export' -l quantities -x
complete -c bristle -n '__bristle_in export' -l out -r -F
complete -c bristle -n '__bristle_in study' -l final
complete -c bristle -n '__bristle_in study' -l max
complete -c bristle -n '__bristle_in study' -l min
complete -c bristle -n '__bristle_in run record replay study excavator info check scenes validate bench' -l json
complete -c bristle -n '__bristle_in bench' -l quick
complete -c bristle -n '__bristle_in excavator' -l scene -x -a '(bristle words scenes; __fish_complete_suffix .yaml)'
complete -c bristle -n '__bristle_in excavator' -l autopilot -x -a 'dig-and-load'
complete -c bristle -n '__bristle_in excavator' -l minutes -x
)sh";

}  // namespace bristle::cli
