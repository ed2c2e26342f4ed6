#!/bin/sh
# componentize-qjs 0.4.5 (npm) makes components with asynchronous exports, and none with an asynchronous import.
#
# We guessed: a world that exports an asynchronous function may import one, too. The README names component-model async
# support as the default, and a gateway as a component of WASI 0.3 has to wait for wasi:http/client.send.
# Seen: with `look: func(...)` as the import, the component is built. With `look: async func(...)`, and nothing else
# changed, the build fails: `instance export "look" has the wrong type: type mismatch with async`. The same happens with
# wasi:http/client@0.3.0. The build links a stand-in for each import of the world before it takes the snapshot.
# So a component of it reaches other services by synchronous imports only, such as fermyon:spin/http of Spin.
#
# Needs Node 20 and npm, on x64 Linux, or another platform for which the package has a binding. Fails if the behaviour changes.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

printf '{ "private": true, "type": "module" }\n' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact componentize-qjs@0.4.5

for kind in 'func' 'async func'; do
  mkdir -p "wit-${kind%% *}"
  cat > "wit-${kind%% *}/world.wit" <<WIT
package example:lookup;

interface directory {
  look: $kind(name: string) -> string;
}

world visitor {
  import directory;
  export greet: async func(name: string) -> string;
}
WIT
done

cat > build.js <<'JS'
import { componentize } from 'componentize-qjs'

const jsSource = `
import directory from 'example:lookup/directory'
export async function greet(name) {
  return 'Hello, ' + (await directory.look(name))
}
`
for (const [import_, witPath] of [['synchronous', 'wit-func'], ['asynchronous', 'wit-async']]) {
  try {
    const { component } = await componentize({ witPath, jsSource })
    console.log(`${import_} import: built, ${component.length > 1_000_000 ? 'more' : 'less'} than 1 MB`)
  } catch ({ message }) {
    console.log(`${import_} import: ${message.includes('type mismatch with async') ? 'type mismatch with async' : message}`)
  }
}
JS

seen=$(node build.js)
expected='synchronous import: built, more than 1 MB
asynchronous import: type mismatch with async'
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo 'changed: see the first lines of this file' >&2; exit 1; }
