/** Words of the trade that general dictionaries lack, with all their inflections by rule. */
const tradeWords: ReadonlySet<string> = new Set((
  'access allowlist async auth autocomplete autoscale autoscaling backend backoff backtick backtracking ' +
  'bitbucket boolean bot bugfix bytecode callback changelog chatbot checkbox checksum clickable ' +
  'codebase codec config configs cron crypto dashboard datacenter datacentre dataset datastore datetime ' +
  'debounce denylist deserialize deserialise dev dropdown endpoint enqueue enum env failover filesystem ' +
  'firewall frontend fullscreen gateway geolocation github gitlab goroutine hardcode hardcoded hashtag ' +
  'hostname hotfix href html http https idempotency idempotent inline instantiate io iterable json jwt ' +
  'kanban keepalive keyspace kubectl lifecycle linter linting localhost lockfile login lookup markdown ' +
  'metadata microservice middleware milestone mockup monorepo multipart mutex namespace natively ' +
  'nullable oauth observability onboarding online opt param params parser passkey passphrase payload ' +
  'performant permalink plaintext playbook plugin pre preconfigured prefetch preload preview queryable ' +
  'ramp readme realtime rebase redeploy refactor refactoring regex reindex repo repos rollback rollout ' +
  'runbook runtime sandbox sandboxed schema scrollable sdk searchable signon serverless serialise serialize ' +
  'signup smartphone spec stateful stateless stdin stdout subcommand subdirectory subdomain subfolder ' +
  'subnet subprocess subquery superuser sync systemd takeaway teardown templating throughput timestamp ' +
  'timezone todo tokenize toggle tooltip transpile tuple typo ui unicode unmount unset untrusted uptime ' +
  'url username usernames utf validator versioned versioning viewport webhook webpage website ' +
  'whitespace wifi wildcard workaround workflow workspace yaml zoom cuppa flatmate blog blogs app apps ' +
  'email emails podcast screenshot livestream wishlist newsfeed login logins').split(' '))

export const isTradeWord = (plain: string): boolean =>
  tradeWords.has(plain) || tradeWords.has(plain.replace(/(?:s|ed|d|ing)$/, ''))
