/** The files that make an application an image. A nightly test builds and starts it: test/many/container.test.ts. */

/** Unprivileged, and the account `nonroot` of the base image. */
const USER = '65532'

const HEALTH =
  "fetch('http://127.0.0.1:3000/.well-known/spin/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"

const CONTAINERFILE = `# The application as an image: Node, the packages that serve it, and what "ftl build" made. No shell, no npm, no root.
#
#   podman build --format docker --tag my-tools .
#   podman run --read-only --tmpfs /tmp --volume my-tools-state:/state --env-file .env --publish 8080:3000 my-tools
#
# For two architectures, each is built on its own Node:
#
#   podman build --format docker --platform linux/amd64,linux/arm64 --manifest my-tools .
#
# With docker instead of podman: "docker build --file Containerfile --tag my-tools .", and "docker buildx build" for two.
ARG NODE_IMAGE=docker.io/library/node:26-bookworm-slim
# The libraries of C and C++, certificates and no programs.
ARG BASE_IMAGE=gcr.io/distroless/cc-debian12

FROM \${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
RUN npm ci --include=dev --ignore-scripts && npx --no-install ftl build
# Serving needs no compiler of components, and no password of the registry, which npm may have needed.
RUN npm prune --omit=dev --ignore-scripts && rm -rf .ftl .spin .env .npmrc node_modules/@bytecodealliance/wizer* node_modules/@oxc-parser && mkdir -p .ftl/cache /out/lib /out/state
RUN cp "$(node -p process.execPath)" /out/node && for library in /lib/*/libatomic.so.1 /usr/lib/*/libatomic.so.1; do if [ -f "$library" ]; then cp "$library" /out/lib/; fi; done

FROM \${BASE_IMAGE}
COPY --from=build /out/node /usr/bin/node
COPY --from=build /out/lib/ /usr/lib/
COPY --from=build /app /app
# The only folder that is written to: mount a volume there, or set a runtime configuration with Redis.
COPY --from=build --chown=${USER}:${USER} /out/state /state
WORKDIR /app
ENV NODE_ENV=production FTL_NODE=/usr/bin/node
USER ${USER}:${USER}
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["/usr/bin/node", "-e", ${JSON.stringify(HEALTH)}]
ENTRYPOINT ["/usr/bin/node", "node_modules/ftl/bin/ftl.mjs"]
CMD ["up", "--listen", "0.0.0.0:3000", "--state-dir", "/state", "--log-format", "json", "--drain-ms", "8000"]
`

const IGNORED = `# Made in the image, or of this machine alone. docker and podman read this file. "**/" is for every folder.
**/node_modules
dist
.ftl
**/.spin
.git
# Secrets, and what callers stored: each user who may pull an image can read it.
**/.env
**/.env.*
**/.dev.vars
**/*runtime*.toml
**/secrets.yaml
remote-servers.json
**/*.pem
**/*.key
# Backups, logs and the audit log of this folder.
/*.db
/*.db-*
/*.log
/*.jsonl
`

/** By path below the folder of the application. */
export const CONTAINER_FILES: ReadonlyMap<string, string> = new Map([
  ['Containerfile', CONTAINERFILE],
  ['.dockerignore', IGNORED],
])
