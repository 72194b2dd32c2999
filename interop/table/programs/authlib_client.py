# Drives Authlib: its Flask integration for the sign-in, its session for a refresh and a revocation.

import json
import sys

from authlib.integrations.flask_client import OAuth
from authlib.integrations.requests_client import OAuth2Session
from flask import Flask, jsonify

given = json.loads(sys.stdin.readline())
issuer, id, secret, redirect_uri = given["issuer"], given["id"], given["secret"], given["redirectUri"]
knobs = {"code_challenge_method": "S256"} if given["turned"] else {}

app = Flask(__name__)
app.secret_key = given["appSecret"]
# configuration
oauth = OAuth(app)
domain = oauth.register(
    name="domain",
    server_metadata_url=issuer + "/.well-known/openid-configuration",
    client_id=id,
    client_secret=secret,
    client_kwargs={"scope": "openid", **knobs},
)
# end of configuration
tokens = {}


@app.get("/login")
def login():
    return domain.authorize_redirect(redirect_uri)


@app.get("/callback")
def callback():
    tokens.update(domain.authorize_access_token())
    return jsonify(access_token=tokens["access_token"], claims=tokens["userinfo"])


browser = app.test_client()


def run(command, argument):
    if command == "get":
        response = browser.get(argument)
        if response.status_code >= 400:
            raise Exception(response.get_data(as_text=True))
        return {"location": response.headers.get("Location"), "json": response.get_json(silent=True)}
    if command == "userinfo":
        return domain.userinfo(token=tokens)
    metadata = domain.load_server_metadata()
    session = OAuth2Session(id, secret, token=tokens)
    if command == "refresh":
        tokens.update(session.refresh_token(metadata["token_endpoint"]))
        return tokens["access_token"]
    if command == "revoke":
        return session.revoke_token(metadata["revocation_endpoint"]).status_code


for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(run(asked["command"], asked["argument"])), flush=True)
