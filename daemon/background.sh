# The part of the launcher that starts a daemon in the background and waits until it answers: for mount and demo.
# shellcheck shell=sh disable=SC2154 # the launcher sets what is not set here

# Sets `log`, the log of a daemon in the background, and `advice` for a daemon that ends without a message.
find_log() {
  log=/dev/null advice='its log cannot be written; pakfs mount -f shows it'
  [ -n "${XDG_STATE_HOME:-}${HOME:-}" ] || return 0
  log=${XDG_STATE_HOME:-${HOME:-}/.local/state}/pakfs
  [ -d "$log" ] || mkdir -p -m 0700 "$log" 2>/dev/null || true
  log=$log/pakfs.log
  # shellcheck disable=SC2188
  if { >>"$log"; } 2>/dev/null; then advice="$log may say why"; else log=/dev/null; fi
}

# Returns when the daemon answers or has failed; sets `code` and, if it answers, `socket`. The daemon continues in a
# session of its own, where the terminal's signals do not reach it, and closes this shell's streams, so that a pipe
# after `pakfs mount` ends. Until it answers it writes lines to descriptor 3: daemon/lifecycle/launcher_pipe.ts. An end
# without an exit code is a failure.
daemon_in_background() {
  export PAKFS_READY_FD=3
  ! has setsid || before=setsid
  find_log
  exec 4>&1
  line=$(
    {
      (
        exec 3>&1 >>"$log" 2>&1 </dev/null 4>&-
        # The first line is the process to end if the user stops waiting: this one, which becomes the daemon. ($$ is
        # still the process of the script.)
        read -r pid _ </proc/self/stat
        echo "$pid" >&3
        run_daemon "$@"
      ) &
    } | {
      IFS= read -r pid || exit 0
      trap 'kill "$pid" 2>/dev/null; exit 0' INT TERM HUP
      drawn=''
      while IFS= read -r line; do
        case $line in
        '~ '*)
          [ ! -t 2 ] || { printf '\r\033[K%s' "${line#??}" >&2 && drawn=yes; }
          continue
          ;;
        esac
        [ -z "$drawn" ] || { printf '\r\033[K' >&2 && drawn=''; }
        case $line in
        '! '*) print_line "${line#??}" ;;
        '= '*) printf '%s\n' "${line#??}" >&4 ;;
        *) printf '%s\n' "$line" && exit 0 ;;
        esac
      done
      [ -z "$drawn" ] || printf '\r\033[K' >&2
      # Deno does not check compiled code that it has kept, and damaged code may end it.
      rm -f "$DENO_DIR"/v8_code_cache_v* 2>/dev/null || true
      say "the daemon ended before it answered; $advice"
    }
  )
  exec 4>&-
  unset PAKFS_READY_FD
  before=''
  code=${line%% *}
  case $code in '' | *[!0-9]*) code=1 ;; esac
  socket=${line#* }
}

# Mounts, and ends with the code of the daemon's start.
mount_in_background() {
  daemon_in_background "$@"
  exit "$code"
}

# Mounts the demo, walks through it, and opens the REPL on a terminal.
run_demo() {
  daemon_in_background "$@"
  [ "$code" = 0 ] || exit "$code"
  command=tour
  (run_client --socket "$socket" tour) || exit
  if [ -t 0 ] && [ -t 1 ]; then
    command=repl
    run_client --socket "$socket" repl
  fi
}
