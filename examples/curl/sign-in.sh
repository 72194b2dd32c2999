#!/usr/bin/env bash
# One whole sign-in with curl: authorization request, set-up in DNS, consent, code, tokens, refresh.
#
#   ISSUER=http://localhost:8080 CLIENT_ID=… CLIENT_SECRET=… REDIRECT_URI=… DOMAIN=alice.test \
#   ZONE_EDITOR=http://localhost:8081/zone ./sign-in.sh
#
# ZONE_EDITOR is the demo's stand-in for a DNS panel. Without it the script shows the record and
# waits until you have published it. A public client leaves CLIENT_SECRET empty.
#
# SAVE=folder keeps what ../verify-offline/verify.mjs reads, in files for your eyes only (mode 0600, since both hold
# secrets): response.json, the answer to the code, and request.json, the app's own side of the request.
#
# Once per domain: each run is a new browser, and from a browser that the account does not know the
# service wants a recovery code besides the record. COOKIES=file keeps the browser for the next run, mode 0600: so
# can a domain be set up at one service, and then sign in to an app of another, which hands it over to the first.
set -euo pipefail

: "${ISSUER:?set ISSUER}"
: "${CLIENT_ID:?set CLIENT_ID}"
: "${REDIRECT_URI:?set REDIRECT_URI}"
: "${DOMAIN:?set DOMAIN}"

umask 077
[ -z "${SAVE:-}" ] || mkdir -p "$SAVE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cookies=${COOKIES:-$work/cookies}

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
say() { printf '%s\n' "$*" >&2; }
fail() { say "failed: $*"; exit 1; }

# A browser in five lines: cookies are kept, posts say where they come from, redirects are ours to follow.
browse() { # METHOD URL [curl arguments] -> page in $work/page, its origin in $origin, address of the next one in $next
  local method=$1 url=$2
  shift 2
  origin=$(sed 's|^\([^/]*//[^/]*\).*|\1|' <<<"$url")
  next=$(curl --silent --show-error --request "$method" "$url" --cookie "$cookies" --cookie-jar "$cookies" \
    --header "Origin: $origin" --output "$work/page" --write-out '%{redirect_url}' "$@")
}
step() { sed -n 's/.*<body data-step="\([^"]*\)".*/\1/p' "$work/page"; }
code_element() { sed -n 's/.*<code id="'"$1"'"[^>]*>\([^<]*\)<.*/\1/p' "$work/page" | sed 's/&amp;/\&/g'; }
between() { # START END -> what stands on the page between them, as a person reads it
  local page
  page=$(<"$work/page")
  [[ $page == *"$1"* ]] || return 0
  page=${page#*"$1"}
  printf '%s' "${page%%"$2"*}" | tr '\n' ' ' | sed -e 's/<[^>]*>//g' -e "s/&#39;/'/g" -e 's/&quot;/"/g' \
    -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&amp;/\&/g' -e 's/^ *//' -e 's/ *$//'
}
what_was_found() { between 'role="status">' '</div>'; }
# Ends with what the page says.
give_up() {
  say "the page says: $(between '<h1>' '</h1>')"
  [ "$(step)" != problem ] || say "  $(between '<p class="lead">' '</p>')"
  local words
  for words in "$(between 'role="alert">' '</div>')" "$(what_was_found)" "$(code_element sp-detail)" \
    "$(between '<p class="error-id">' '</p>')"; do
    [ -z "$words" ] || say "  $words"
  done
  fail "$*"
}
# What shows that the page offered to continue to this browser.
proof() { tr '\n' ' ' <"$work/page" | sed -n 's/.*<input type="hidden" name="proof" value="\([^"]*\)".*/\1/p'; }
form_action() {
  local action
  action=$(tr '\n' ' ' <"$work/page" | sed -n 's/.*<form id="'"$1"'"[^>]* action="\([^"]*\)".*/\1/p' | sed 's/&amp;/\&/g')
  printf '%s%s' "$origin" "$action"
}
# Follows redirects until there is a page, or the way leads to the app.
arrive() {
  while [ -n "$next" ] && [[ $next != "$REDIRECT_URI"* ]]; do browse GET "$next"; done
}

verifier=$(openssl rand 32 | base64url)
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | base64url)
state=$(openssl rand 16 | base64url)

say "1. authorization request"
curl --silent --show-error --get --output /dev/null --write-out '%{url_effective}' "$ISSUER/oauth/authorize" \
  --data-urlencode "client_id=$CLIENT_ID" --data-urlencode "redirect_uri=$REDIRECT_URI" \
  --data-urlencode response_type=code --data-urlencode scope=openid --data-urlencode "state=$state" \
  --data-urlencode "login_hint=$DOMAIN" \
  --data-urlencode "code_challenge=$challenge" --data-urlencode code_challenge_method=S256 >"$work/url"
browse GET "$(cat "$work/url")"
arrive

tries=0 last= asked=
while [ -z "$next" ]; do
  case $(step) in
    domain)
      [ "$origin" != "$asked" ] || give_up "the domain is not taken"
      asked=$origin
      say "2. the domain: $DOMAIN, at $origin"
      browse POST "$(form_action domain-form)" --data-urlencode "domain=$DOMAIN"
      ;;
    continue)
      say "   still signed in at $origin: continue"
      browse POST "$(form_action continue-form)" --data-urlencode "domain=$DOMAIN" --data "proof=$(proof)"
      ;;
    set-up-passkey)
      # A passkey needs a browser with script.
      browse POST "$(form_action without-passkey-form)" --data without=1
      ;;
    dns-setup | dns-challenge)
      ! grep -q 'name="recovery_code"' "$work/page" ||
        fail "this browser is new to the account: it needs a recovery code"
      name=$(code_element dns-name) value=$(code_element dns-value)
      if [ "$name $value" = "$last" ]; then
        [ -z "${ZONE_EDITOR:-}" ] || give_up "the service does not see the record"
        say "   $(what_was_found)"
      fi
      last="$name $value"
      say "3. the record: $name TXT \"$value\""
      if [ -n "${ZONE_EDITOR:-}" ]; then
        curl --silent --show-error --fail --output /dev/null --header 'Content-Type: application/json' "$ZONE_EDITOR/records" \
          --data "{\"name\":\"$name\",\"type\":\"TXT\",\"value\":\"$value\",\"ttl\":60}"
      else
        read -r -p "   Publish it, then press Enter. " </dev/tty
      fi
      browse POST "$(form_action check-form)" --data ''
      ;;
    recovery-codes)
      say "   the recovery codes are shown once${SAVE:+: kept in $SAVE/recovery-codes.txt}"
      [ -z "${SAVE:-}" ] || tr '<' '\n' <"$work/page" | sed -n 's/^code class="recovery-code">//p' >"$SAVE/recovery-codes.txt"
      browse POST "$(form_action recovery-codes-form)" --data ''
      ;;
    consent)
      say "4. consent at $origin: allow"
      browse POST "$(form_action consent-form)" --data decision=allow
      ;;
    *) give_up "no way on from here" ;;
  esac
  arrive
  tries=$((tries + 1))
  [ "$tries" -lt 10 ] || give_up "no end after ten pages"
done

parameter() { printf %s "$next" | sed -n 's/.*[?&]'"$1"'=\([^&]*\).*/\1/p'; }
[ "$(parameter state)" = "$state" ] || fail "the state came back changed"
code=$(parameter code)
[ -n "$code" ] || fail "no code: $next"
say "5. the code came back to $REDIRECT_URI"

token() { # form parameters -> JSON
  if [ -n "${CLIENT_SECRET:-}" ]; then set -- --user "$CLIENT_ID:$CLIENT_SECRET" "$@"; else set -- --data-urlencode "client_id=$CLIENT_ID" "$@"; fi
  curl --silent --show-error --fail-with-body "$ISSUER/oauth/token" "$@"
}
member() { sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p'; }

tokens=$(token --data grant_type=authorization_code --data-urlencode "code=$code" \
  --data-urlencode "redirect_uri=$REDIRECT_URI" --data-urlencode "code_verifier=$verifier") || fail "$tokens"
say "6. tokens"
if [ -n "${SAVE:-}" ]; then
  printf '%s\n' "$tokens" >"$work/response.json"
  printf '{"client_id":"%s","redirect_uri":"%s","code_verifier":"%s","issuer":"%s"}\n' \
    "$CLIENT_ID" "$REDIRECT_URI" "$verifier" "$ISSUER" >"$work/request.json"
  # Moved, so that a file that was there before lends them neither its mode nor its place.
  mv -f "$work/response.json" "$work/request.json" "$SAVE/"
  say "   saved: $SAVE/response.json, $SAVE/request.json"
fi
userinfo=$(curl --silent --show-error --fail-with-body --header "Authorization: Bearer $(member access_token <<<"$tokens")" \
  "$ISSUER/oauth/userinfo") || fail "$userinfo"
say "7. userinfo: $userinfo"
refreshed=$(token --data grant_type=refresh_token --data-urlencode "refresh_token=$(member refresh_token <<<"$tokens")") ||
  fail "$refreshed"
[ "$(member refresh_token <<<"$refreshed")" != "$(member refresh_token <<<"$tokens")" ] || fail "the refresh token was not replaced"
[ "$(member access_token <<<"$refreshed")" != "$(member access_token <<<"$tokens")" ] || fail "the access token was not replaced"
say "8. refreshed: both tokens were replaced"
printf '%s\n' "$refreshed"
