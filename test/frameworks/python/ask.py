"""Loads all tools of a gateway as one framework does, calls some, and prints what a model would get: one line of JSON.

python ask.py FRAMEWORK ADDRESS CALLS, where CALLS is the JSON of a list of [name, arguments].
"""

import asyncio
import inspect
import json
import sys

framework, address, calls = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
seen = {"loaded": [], "results": {}}


def told(error):
    """The innermost of a group, because its members say what happened."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"[:400]


async def call_each(names, call):
    seen["loaded"] = sorted(names)
    for name, args in calls:
        try:
            value = call(name, args)
            value = await value if inspect.isawaitable(value) else value
            seen["results"][name] = {"text": str(value)[:4000]}
        except BaseException as error:
            seen["results"][name] = {"error": told(error)}


async def langchain():
    from langchain_mcp_adapters.client import MultiServerMCPClient

    client = MultiServerMCPClient({"ftl": {"transport": "streamable_http", "url": address}})
    tools = {tool.name: tool for tool in await client.get_tools()}
    await call_each(tools, lambda name, args: tools[name].ainvoke(args))


async def openai_agents():
    from agents.mcp import MCPServerStreamableHttp, MCPUtil
    from agents.tool_context import ToolContext

    async with MCPServerStreamableHttp(params={"url": address}) as server:
        listed = await server.list_tools()
        tools = {tool.name: MCPUtil.to_function_tool(tool, server, True) for tool in listed}

        def call(name, args):
            text = json.dumps(args)
            context = ToolContext(context=None, tool_name=name, tool_call_id="1", tool_arguments=text)
            return tools[name].on_invoke_tool(context, text)

        await call_each(tools, call)


async def smolagents():
    from smolagents import MCPClient

    with MCPClient({"url": address, "transport": "streamable-http"}, structured_output=False) as listed:
        tools = {tool.name: tool for tool in listed}
        await call_each(tools, lambda name, args: asyncio.to_thread(tools[name], **args))


async def llama_index():
    from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

    listed = await McpToolSpec(client=BasicMCPClient(address)).to_tool_list_async()
    tools = {tool.metadata.name: tool for tool in listed}
    for tool in listed:
        tool.metadata.get_parameters_dict()
    await call_each(tools, lambda name, args: tools[name].acall(**args))


async def crewai():
    from crewai_tools import MCPServerAdapter

    with MCPServerAdapter({"url": address, "transport": "streamable-http"}) as listed:
        tools = {tool.name: tool for tool in listed}
        await call_each(tools, lambda name, args: asyncio.to_thread(tools[name].run, **args))


async def google_adk():
    from google.adk.tools.mcp_tool import McpToolset, StreamableHTTPConnectionParams
    from unittest.mock import MagicMock

    toolset = McpToolset(connection_params=StreamableHTTPConnectionParams(url=address))
    listed = await toolset.get_tools()
    tools = {tool.name: tool for tool in listed}
    for tool in listed:
        tool._get_declaration()
    # It gives each result of a tool with an app the id of the call, which the context of an agent has.
    context = MagicMock(function_call_id="1")
    await call_each(
        tools, lambda name, args: tools[name]._run_async_impl(args=args, tool_context=context, credential=None)
    )
    await toolset.close()


async def semantic_kernel():
    from semantic_kernel import Kernel
    from semantic_kernel.connectors.mcp import MCPStreamableHttpPlugin
    from semantic_kernel.functions import KernelArguments

    async with MCPStreamableHttpPlugin(name="ftl", url=address) as plugin:
        kernel = Kernel()
        functions = kernel.add_plugin(plugin).functions

        async def call(name, args):
            wanted = {"plugin_name": "ftl", "function_name": name, "arguments": KernelArguments(**args)}
            # The text of the result is that of its first content; a model gets all of them.
            return (await kernel.invoke(**wanted)).value

        await call_each([name for name in functions], call)


async def autogen():
    from autogen_core import CancellationToken
    from autogen_ext.tools.mcp import StreamableHttpServerParams, mcp_server_tools

    listed = await mcp_server_tools(StreamableHttpServerParams(url=address))
    tools = {tool.name: tool for tool in listed}
    for tool in listed:
        json.dumps(tool.schema)
    await call_each(tools, lambda name, args: tools[name].run_json(args, CancellationToken()))


async def mcp_use():
    from mcp_use import MCPClient
    from mcp_use.agents.adapters.langchain_adapter import LangChainAdapter

    client = MCPClient.from_dict({"mcpServers": {"ftl": {"url": address}}})
    await client.create_all_sessions()
    tools = {tool.name: tool for tool in await LangChainAdapter().create_tools(client)}
    await call_each(tools, lambda name, args: tools[name].ainvoke(args))
    await client.close_all_sessions()


async def pydantic_ai():
    from pydantic_ai import RunContext
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.models.test import TestModel
    from pydantic_ai.usage import RunUsage

    async with MCPToolset(address) as toolset:
        context = RunContext(deps=None, model=TestModel(), usage=RunUsage())
        tools = await toolset.get_tools(context)
        await call_each(tools, lambda name, args: toolset.call_tool(name, args, context, tools[name]))


async def agno():
    from agno.tools.mcp import MCPTools

    async with MCPTools(transport="streamable-http", url=address) as toolkit:
        tools = toolkit.functions
        await call_each(tools, lambda name, args: tools[name].entrypoint(**args))


async def strands():
    from mcp.client.streamable_http import streamable_http_client
    from strands.tools.mcp import MCPClient

    with MCPClient(lambda: streamable_http_client(address)) as client:
        names = [tool.tool_name for tool in client.list_tools_sync()]
        await call_each(
            names,
            lambda name, args: client.call_tool_async(tool_use_id="1", name=name, arguments=args),
        )


async def main():
    try:
        await globals()[framework.replace("-", "_")]()
    except BaseException as error:
        seen["failed"] = told(error)


asyncio.run(main())
print("\n" + json.dumps(seen))
