# shellcheck shell=bash
# A composed system of its own, and what is asked about it. Sourced after env.sh and processes.sh by tests/faults/compose.

project=${PARLEY_COMPOSE_PROJECT:-parley-faults-$$}
scratch=$repository/build/faults/$project
files=("$repository/docker-compose.yml")
programs=(contacts conversations dispatcher organizations analytics gateway simulator)
export PARLEY_SECRETS=$scratch/secrets

# Docker with its compose, or else podman with podman-compose, which knows no profiles: services are named.
choose_tool() {
  if docker compose version >/dev/null 2>&1 && docker info >/dev/null 2>&1; then
    tool=docker
  elif command -v podman-compose >/dev/null && podman info >/dev/null 2>&1; then
    tool=podman
  else
    fail "neither docker compose nor podman-compose can be used here"
  fi
  export PARLEY_CONTAINERS=$tool
}

# Version 1.0.3 of podman-compose uses a service's health check up with its first replica: each gets a copy. And it knows
# no dns_opt.
podman_compose='import copy, podman_compose as tool
original = tool.container_to_args
tool.container_to_args = lambda compose, container, detached=True: [
  f"--dns-opt={each}" for each in container.get("dns_opt", [])] + original(compose, copy.deepcopy(container), detached)
tool.main()'

compose() {
  local file arguments=(-p "$project")
  for file in "${files[@]}"; do arguments+=(-f "$file"); done
  case $tool in
    docker) docker compose "${arguments[@]}" "$@" ;;
    podman) /usr/bin/python3 -c "$podman_compose" "${arguments[@]}" "$@" ;;
  esac
}

compose_quietly() {
  compose "$@" >>"$scratch/log" 2>&1 </dev/null || {
    show_end_of "$scratch/log"
    fail "compose $1 failed"
  }
}

# container NAME [NUMBER]: the container of its replica NUMBER, from 0 on. The gateway's second is a service of its own
# (tests/faults/compose.yml), as the first has a fixed port.
container() {
  local service=$1 number=${2:-0}
  if [[ $service == gateway && $number == 1 ]]; then service=gateway-2 number=0; fi
  "$tool" ps -a --filter "label=com.docker.compose.project=$project" --filter "label=com.docker.compose.service=$service" \
    --filter "label=com.docker.compose.container-number=$((number + 1))" --format '{{.Names}}' | head -1
}

# address_of SERVICE NETWORK
address_of() {
  "$tool" inspect --format "{{(index .NetworkSettings.Networks \"${project}_$2\").IPAddress}}" "$(container "$1")"
}

# SERVICE ADDRESS:PORT of each that is reached from outside, a line each.
list_ports() {
  local name
  for name in postgres redis "${programs[@]}"; do
    "$tool" port "$(container "$name")" | awk -v name="$name" '{ print name, $NF }'
  done
}

seconds_since() { awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }'; }

# Podman leaves the checks to systemd's timers, which not every machine has: here they are asked for.
is_healthy() {
  case $tool in
    docker) [[ $(docker inspect --format '{{.State.Health.Status}}' "$(container "$1")") == healthy ]] ;;
    podman) podman healthcheck run "$(container "$1")" >/dev/null 2>&1 ;;
  esac
}

wait_until_healthy() {
  local name deadline=$((SECONDS + 120))
  for name in postgres redis "${programs[@]}"; do
    until is_healthy "$name"; do
      if ((SECONDS > deadline)); then
        "$tool" logs "$(container "$name")" 2>&1 | tail -20 >&2
        fail "$name is not healthy within two minutes"
      fi
      sleep 0.2
    done
  done
}

# use_stand_in VARIABLE NAME: images that were made here under a public one's name and tag are taken for it, as they have
# no digest that a registry knows. Where there are none the pinned ones are.
use_stand_in() {
  if [[ -n ${!1:-} ]] || ! "$tool" image inspect "docker.io/library/$2" >/dev/null 2>&1; then return 0; fi
  export "$1=docker.io/library/$2"
  note "$2 is the one of this machine"
}

begin() {
  mkdir -p "$scratch"
  use_stand_in PARLEY_BASE_IMAGE debian:bookworm-slim
  use_stand_in POSTGRES_IMAGE postgres:15-bookworm
  use_stand_in REDIS_IMAGE redis:7-bookworm
  trap 'end' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  "$repository/deploy/docker/make-secrets" "$PARLEY_SECRETS" >/dev/null
  # shellcheck disable=SC2119 # there is no port to be kept clear of
  PARLEY_PORT=$(free_port)
  export PARLEY_PORT
}

# start [SERVICE...]: the whole of docker-compose.yml but what is there to look at it, and these.
start() {
  local began=$EPOCHREALTIME
  step "starting ${project} on port $PARLEY_PORT with $tool"
  compose_quietly up -d gateway dispatcher simulator "$@"
  wait_until_healthy
  note "everything is healthy after $(seconds_since "$began") s"
}

# outside NAME NUMBER PORT: ADDRESS:PORT at which replica NUMBER, from 0 on, is reached from here.
outside() { "$tool" port "$(container "$1" "$2")" "$3/tcp" | head -1; }

# urls NAME PORT: of both replicas; of the simulator, of which there is one.
urls() {
  local number separator=
  for number in 0 1; do
    if [[ -z $(container "$1" "$number") ]]; then continue; fi
    printf '%shttp://%s' "$separator" "$(outside "$1" "$number" "$2")"
    separator=,
  done
}

# What the end-to-end tests need to know of a system that they did not start: tests/support/attached.hpp.
describe_system() {
  local name
  for name in "${programs[@]}"; do
    if [[ $name != dispatcher ]]; then printf '%s_URL=%s\n' "${name^^}" "$(urls "$name" 8080)"; fi
    if [[ $name != simulator ]]; then printf '%s_ADMIN_URL=%s\n' "${name^^}" "$(urls "$name" 9090)"; fi
  done
  printf 'DATABASE_URL=postgresql://postgres:%s@%s/parley\n' "$(<"$PARLEY_SECRETS/database-superuser")" "$(outside postgres 0 5432)"
  printf 'APP_SECRET=%s\n' "$(<"$PARLEY_SECRETS/channel-app-secret")"
  # This machine's end of the network by which they reach others.
  printf 'LOCAL_ADDRESS=%s\n' "$("$tool" network inspect "${project}_channel" |
    jq -r '.[0] | (.subnets // .IPAM.Config)[0] | .gateway // .Gateway')"
  printf 'CONTROL=%s\n' "$repository/tests/faults/compose-control"
}

# Takes all of it away at once: containers, volumes, networks (which podman-compose 1.0.3 leaves), secrets.
end() {
  local status=$? each force=(rm -f)
  trap - EXIT ERR
  if [[ $tool == podman ]]; then force+=(-t 0); fi
  "$tool" ps -aq --filter "label=com.docker.compose.project=$project" | xargs -r "$tool" "${force[@]}" >>"$scratch/log" 2>&1
  for each in volume network; do
    "$tool" "$each" ls -q --filter "label=com.docker.compose.project=$project" | xargs -r "$tool" "$each" rm >>"$scratch/log" 2>&1
  done
  rm -rf "$PARLEY_SECRETS"
  if ((status == 0)); then rm -rf "$scratch"; else note "the log is $scratch/log"; fi
  exit "$status"
}
