# Quoted in docs/clients.md. Requires the package mcp, version 2.
import asyncio
from mcp import Client

async def main():
    async with Client("http://127.0.0.1:3000/mcp") as client:
        result = await client.call_tool("echo", {"message": "hello"})
        print(result.content)

asyncio.run(main())
