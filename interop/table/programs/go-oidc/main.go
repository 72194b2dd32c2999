// Drives golang.org/x/oauth2 together with github.com/coreos/go-oidc.

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

func main() {
	ctx := context.Background()
	lines := bufio.NewScanner(os.Stdin)
	var given struct{ Issuer, Id, Secret, RedirectUri, Alg string }
	read(lines, &given)
	issuer, id, secret, redirectURI := given.Issuer, given.Id, given.Secret, given.RedirectUri

	// configuration
	provider, err := oidc.NewProvider(ctx, issuer)
	check(err)
	config := oauth2.Config{
		ClientID:     id,
		ClientSecret: secret,
		Endpoint:     provider.Endpoint(),
		RedirectURL:  redirectURI,
		Scopes:       []string{oidc.ScopeOpenID},
	}
	// end of configuration
	checks := &oidc.Config{ClientID: id}
	if given.Alg != "" {
		checks.SupportedSigningAlgs = []string{given.Alg}
	}

	var token *oauth2.Token
	var asked struct{ Command, Argument string }
	for read(lines, &asked) {
		switch asked.Command {
		case "begin":
			write(config.AuthCodeURL(asked.Argument))
		case "redeem":
			token, err = config.Exchange(ctx, asked.Argument)
			check(err)
			raw, _ := token.Extra("id_token").(string)
			verifier := provider.Verifier(checks)
			idToken, err := verifier.Verify(ctx, raw)
			check(err)
			var claims map[string]interface{}
			check(idToken.Claims(&claims))
			write(map[string]interface{}{"access_token": token.AccessToken, "claims": claims})
		case "userinfo":
			found, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
			check(err)
			var claims map[string]interface{}
			check(found.Claims(&claims))
			write(claims)
		case "refresh":
			token.Expiry = time.Now().Add(-time.Minute)
			token, err = config.TokenSource(ctx, token).Token()
			check(err)
			write(token.AccessToken)
		}
	}
}

func read(lines *bufio.Scanner, into interface{}) bool {
	if !lines.Scan() {
		return false
	}
	check(json.Unmarshal(lines.Bytes(), into))
	return true
}

func write(value interface{}) {
	line, err := json.Marshal(value)
	check(err)
	fmt.Println(string(line))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
