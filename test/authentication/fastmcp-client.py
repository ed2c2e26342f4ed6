"""Signs in at a gateway with FastMCP's own OAuth, calls a tool, and prints what it got."""

import asyncio
import json
import sys

from fastmcp import Client
from fastmcp.client.auth import OAuth


async def main() -> None:
    url = sys.argv[1]
    async with Client(url, auth=OAuth(mcp_url=url, client_name="FastMCP")) as client:
        tools = [tool.name for tool in await client.list_tools()]
        result = await client.call_tool("calculator", {"expression": "6*7"})
        print(json.dumps({"tools": tools, "text": result.content[0].text}), flush=True)


asyncio.run(main())
