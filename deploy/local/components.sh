# shellcheck shell=bash
# The secrets (made once) and the environment of every process of the product. Sourced after env.sh.

secrets=$state/secrets
business_account_id=100000000000001
phone_number_id=200000000000001
channel_app_id=300000000000001
# shellcheck disable=SC2034  # up iterates over it
components=("${services[@]}" dispatcher gateway simulator)

# program_of NAME, command_of NAME: the executable of a component and its command. The dispatcher is a role of
# conversations that serves no requests.
program_of() { if [[ $1 == dispatcher ]]; then printf conversations; else printf '%s' "$1"; fi; }
command_of() { if [[ $1 == dispatcher ]]; then printf dispatch; else printf serve; fi; }

# make_secret NAME COMMAND...: writes the command's output to secrets/NAME, once; whole or not at all.
make_secret() {
  local file=$secrets/$1
  shift
  if [[ -s $file ]]; then return 0; fi
  "$@" >"$file.new" || fail "cannot make $file"
  [[ -s $file.new ]] || fail "cannot make $file: $1 printed nothing"
  mv "$file.new" "$file"
}

random_hex() { od -An -vtx1 -N24 /dev/urandom | tr -d ' \n'; }
random_base64() { head -c 32 /dev/urandom | base64 -w0; }
public_key() { jq -er .public "$secrets/identity-$1.json"; }
private_key() { jq -er .private "$secrets/identity-$1.json"; }

make_secrets() {
  local name
  mkdir -p "$secrets"
  chmod 700 "$secrets"
  (
    umask 077
    make_secret database-superuser random_hex
    for name in "${services[@]}"; do make_secret "database-$name" random_hex; done
    for name in gateway "${services[@]}"; do make_secret "identity-$name.json" "$binaries/parley-gateway" generate-key; done
    make_secret encryption-key random_base64
    make_secret channel-app-secret random_hex
  )
}

database_url() { printf 'postgresql://%s:%s@127.0.0.1:%s/parley' "$1" "$(<"$secrets/database-$1")" "${port[postgres]}"; }

# The processes whose signatures a service accepts: name=public key, separated by commas.
trusted_keys() {
  local name separator=
  for name in gateway "${services[@]}"; do
    printf '%s%s=%s' "$separator" "$name" "$(public_key "$name")"
    separator=,
  done
}

# environment_of NAME: prints its settings as NAME=VALUE, one on each line.
environment_of() {
  local name=$1 program other
  program=$(program_of "$name")
  if [[ -n ${port[$name]:-} ]]; then printf 'PARLEY_LISTEN=127.0.0.1:%s\n' "${port[$name]}"; fi
  if [[ -n ${PARLEY_LOG_LEVEL:-} ]]; then printf 'PARLEY_LOG_LEVEL=%s\n' "$PARLEY_LOG_LEVEL"; fi
  if [[ $name == simulator ]]; then
    simulator_environment
    return 0
  fi
  printf 'PARLEY_ADMIN_LISTEN=127.0.0.1:%s\n' "${admin_port[$name]}"
  printf 'PARLEY_DRAIN_NOTICE_MS=0\n' # no load balancer needs time before the listener closes
  printf 'PARLEY_IDENTITY_KEY=%s\n' "$(private_key "$program")"
  for other in "${services[@]}"; do printf 'PARLEY_%s_URL=http://127.0.0.1:%s\n' "${other^^}" "${port[$other]}"; done
  case $name in
    contacts | conversations | gateway) printf 'PARLEY_REDIS_URL=redis://127.0.0.1:%s/0\n' "${port[redis]}" ;;
  esac
  if [[ $name == contacts && -n ${PARLEY_DEFAULT_COUNTRY:-} ]]; then
    printf 'PARLEY_DEFAULT_COUNTRY=%s\n' "$PARLEY_DEFAULT_COUNTRY"
  fi
  case $name in
    conversations | dispatcher | gateway) printf 'PARLEY_PUBLIC_URL=http://127.0.0.1:%s\n' "${port[gateway]}" ;;
  esac
  if [[ $name == gateway && -n ${PARLEY_CORS_ORIGINS:-} ]]; then
    printf 'PARLEY_CORS_ORIGINS=%s\n' "$PARLEY_CORS_ORIGINS"
  fi
  if [[ $name == gateway ]]; then return 0; fi
  printf 'PARLEY_DATABASE_URL=%s\n' "$(database_url "$program")"
  printf 'PARLEY_IDENTITY_TRUSTED=%s\n' "$(trusted_keys)"
  if [[ $name == organizations ]]; then
    printf 'PARLEY_SIGN_UP=open\nPARLEY_SIGN_UP_ATTEMPTS=10000\n' # it listens on loopback only; tests make many accounts
    mail_environment
  fi
  if [[ $program == conversations ]]; then
    printf 'PARLEY_WEBHOOKS_ALLOW_PRIVATE=on\n' # receivers are on this machine
  fi
  case $program in
    organizations | conversations)
      printf 'PARLEY_ENCRYPTION_KEYS=local:%s\n' "$(<"$secrets/encryption-key")"
      printf 'PARLEY_CHANNEL_URL=http://127.0.0.1:%s/v20.0\n' "${port[simulator]}"
      printf 'PARLEY_CHANNEL_MEDIA_URLS=http://127.0.0.1:%s\n' "${port[simulator]}"
      printf 'PARLEY_CHANNEL_APP_ID=%s\n' "$channel_app_id"
      printf 'PARLEY_CHANNEL_APP_SECRET=%s\n' "$(<"$secrets/channel-app-secret")"
      ;;
  esac
}

# Not PARLEY_PUBLIC_URL: the simulator posts webhooks to the application's own URL.
mail_environment() {
  local name
  if [[ -z ${PARLEY_SMTP_URL:-} ]]; then return 0; fi
  for name in PARLEY_SMTP_URL PARLEY_SMTP_TLS PARLEY_SMTP_CA_FILE PARLEY_MAIL_FROM; do
    if [[ -n ${!name:-} ]]; then printf '%s=%s\n' "$name" "${!name}"; fi
  done
  printf 'PARLEY_MAIL_PAGES_URL=http://127.0.0.1:%s\n' "${port[gateway]}"
}

simulator_environment() {
  printf 'PARLEY_CHANNEL_APP_ID=%s\n' "$channel_app_id"
  printf 'PARLEY_CHANNEL_APP_SECRET=%s\n' "$(<"$secrets/channel-app-secret")"
  printf 'PARLEY_BUSINESS_ACCOUNT_ID=%s\n' "$business_account_id"
  printf 'PARLEY_PHONE_NUMBER_ID=%s\n' "$phone_number_id"
  printf 'PARLEY_WEBHOOK_URL=http://127.0.0.1:%s/webhooks/messaging\n' "${port[gateway]}"
  printf 'PARLEY_SIMULATOR_OPEN_WINDOW=on\n' # a stop makes it forget who wrote; the product remembers
}

# set_environment_of NAME: exports its settings, and no other PARLEY_ variable. For a subshell. The settings never appear in
# a command line, which every user of the machine could read.
set_environment_of() {
  local line settings
  settings=$(environment_of "$1")
  unset "${!PARLEY_@}"
  while read -r line; do export "${line?}"; done <<<"$settings"
}

# One hash of a process's binary and settings: if it is unchanged, no restart is necessary.
digest_of() {
  local settings
  settings=$(environment_of "$1")
  { sha256sum <"$binaries/parley-$(program_of "$1")" && printf '%s' "$settings"; } | sha256sum | cut -d' ' -f1
}

# A URL that answers as soon as the process is ready.
ready_url() {
  if [[ $1 == simulator ]]; then
    printf 'http://127.0.0.1:%s/' "${port[simulator]}"
  else
    printf 'http://127.0.0.1:%s/readyz' "${admin_port[$1]}"
  fi
}

is_ready() {
  if [[ $1 == simulator ]]; then
    call -o /dev/null "$(ready_url simulator)" # any answer is good: it has no admin port
  else
    call -f -o /dev/null "$(ready_url "$1")"
  fi
}
