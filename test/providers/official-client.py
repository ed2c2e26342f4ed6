"""Signs in at a gateway with the official client for Python, calls a tool, and prints what it got.

python official-client.py ADDRESS REDIRECT [CLIENT_ID]: prints the address for the browser, and reads the one that the browser
is sent back to.
"""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata

url, redirect, *known = sys.argv[1:]


class Memory:
    def __init__(self, client):
        self.client, self.tokens = client, None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def show(address):
    print(address, flush=True)


async def come_back():
    line = await asyncio.to_thread(sys.stdin.readline)
    got = {name: value for name, (value, *_) in parse_qs(urlsplit(line.strip()).query).items()}
    return AuthorizationCodeResult(code=got["code"], state=got.get("state"), iss=got.get("iss"))


async def main():
    about = {"redirect_uris": [redirect], "token_endpoint_auth_method": "none"}
    client = OAuthClientInformationFull(client_id=known[0], **about) if known else None
    auth = OAuthClientProvider(
        url, OAuthClientMetadata(client_name="test", **about), Memory(client), show, come_back
    )
    async with httpx2.AsyncClient(auth=auth, timeout=120, follow_redirects=True) as http:
        async with Client(streamable_http_client(url, http_client=http)) as session:
            result = await session.call_tool("calculator", {"expression": "6*7"})
            print(json.dumps({"text": result.content[0].text}), flush=True)


asyncio.run(main())
