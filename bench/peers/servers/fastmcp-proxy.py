"""FastMCP as a proxy in front of MCP servers, as its documentation shows. Arguments: port, addresses."""

import sys

from fastmcp.server import create_proxy

port, *urls = sys.argv[1:]
servers = {f"b{number}": {"url": url} for number, url in enumerate(urls, 1)}
target = urls[0] if len(urls) == 1 else {"mcpServers": servers}
proxy = create_proxy(target, name="proxy")
proxy.run(transport="http", host="127.0.0.1", port=int(port), show_banner=False, log_level="error")
