#!/bin/sh
# mcp-use 1.34.6 (npm): it declares "langchain" and "@langchain/core" as optional, and cannot be imported without them.
#
# Guess: a program that only lists and calls tools (MCPClient) works without packages that are marked as optional.
# Seen (29 November 2026): importing the package fails with ERR_MODULE_NOT_FOUND, which names a module of @langchain/core or langchain.
#
# Needs Node 20 or newer and npm. Ends with 1 if the behaviour is another one.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund mcp-use@1.34.6

for name in langchain @langchain/core; do
  optional=$(node -p "require('./node_modules/mcp-use/package.json').peerDependenciesMeta['$name'].optional")
  [ "$optional" = true ] || { echo "$name is not optional" >&2; exit 1; }
done

output=$(node --input-type=module -e "
  import('mcp-use').then(
    () => console.log('imported'),
    ({ code, message }) => console.log(code, /'(@langchain\/core|langchain)/.exec(message)?.[1]),
  )")
echo "$output"
case $output in
  'ERR_MODULE_NOT_FOUND @langchain/core' | 'ERR_MODULE_NOT_FOUND langchain') ;;
  *) echo "another behaviour than the one that was seen" >&2; exit 1 ;;
esac
