# Drives requests-oauthlib.

import json
import sys

from requests_oauthlib import OAuth2Session

given = json.loads(sys.stdin.readline())
id, secret, redirect_uri = given["id"], given["secret"], given["redirectUri"]
authorization, token = given["endpoints"]["authorization"], given["endpoints"]["token"]
# configuration
session = OAuth2Session(id, redirect_uri=redirect_uri, scope=["openid"])
# end of configuration


def run(command, argument):
    if command == "begin":
        url, state = session.authorization_url(authorization)
        return url
    if command == "redeem":
        tokens = session.fetch_token(token, authorization_response=argument, client_secret=secret)
        return tokens["access_token"]
    if command == "refresh":
        return session.refresh_token(token, auth=(id, secret))["access_token"]


for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(run(asked["command"], asked["argument"])), flush=True)
