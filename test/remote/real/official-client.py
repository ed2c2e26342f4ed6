"""Lists the tools of a server with the official client, takes steps, and prints what it got."""

import asyncio
import json
import sys

from mcp import Client, types


def plain(result):
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


async def all_tools(client: Client) -> list:
    tools, cursor = [], None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools += [plain(tool) for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            return tools


async def take(client: Client, step: dict) -> dict:
    reached = []

    async def on_progress(progress, total, message) -> None:
        reached.append(progress)

    arguments = step.get("arguments") or {}
    try:
        if "call" in step:
            callback = on_progress if step.get("progress") else None
            result = await client.call_tool(step["call"], arguments, progress_callback=callback)
        elif "read" in step:
            result = await client.read_resource(step["read"])
        elif "prompt" in step:
            result = await client.get_prompt(step["prompt"], arguments)
        else:
            reference = types.PromptReference(type="ref/prompt", name=step["complete"])
            result = await client.complete(reference, step["argument"])
        return {"result": plain(result), "progress": reached}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}", "progress": reached}


async def main() -> None:
    url, steps = sys.argv[1], json.loads(sys.argv[2])
    async with Client(url) as client:
        tools = await all_tools(client)
        outcomes = [await take(client, step) for step in steps]
        print(json.dumps({"tools": tools, "outcomes": outcomes}), flush=True)


asyncio.run(main())
