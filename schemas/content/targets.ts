import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Words } from '../common.js'
import { Channels, Locales } from 'steward-prose-engine/schemas'

const closed = { additionalProperties: false }

export const targetKinds = [
  'webhook', 'git_pr', 'feed', 'wordpress', 'ghost', 'mail', 'mastodon', 'bluesky', 'linkedin'
] as const
export type TargetKind = typeof targetKinds[number]

const Url = Type.String({ maxLength: 2000, pattern: '^https?://[^\\s/]+', examples: ['https://hooks.example.com/in'] })

/** Which of them a target needs follows from its kind. */
export const TargetConfig = Type.Object({
  url: Type.Optional(Type.Unsafe<string>({
    ...Url,
    description: 'webhook: where events are sent; wordpress, ghost: the site; mastodon: the instance; ' +
      'bluesky: the server of the account, such as https://bsky.social. A public address'
  })),
  username: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 253,
    pattern: '^[^:\\s][^:]*$',
    examples: ['editor'],
    description: 'wordpress: whose application password it is; bluesky: the handle'
  })),
  repo_id: Type.Optional(Type.String({
    pattern: '^[0-9]{1,19}$', examples: ['7001'], description: 'git_pr: the repository, by its id at the code host'
  })),
  base: Type.Optional(Type.String({
    minLength: 1, maxLength: 200, description: 'git_pr: the branch to merge into; default: the default branch'
  })),
  path_template: Type.Optional(Type.String({
    maxLength: 300,
    pattern: '^(?!/)(?!.*\\.\\.)[A-Za-z0-9._/{}-]+\\.mdx?$',
    examples: ['posts/{slug}.md'],
    description: 'git_pr: the file, from {channel}, {locale}, {slug} and {id}; default content/{channel}/{slug}.md'
  })),
  site_url: Type.Optional(Type.Unsafe<string>({
    ...Url, description: 'feed: the site whose feed it is'
  })),
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'feed: its title' })),
  public: Type.Optional(Type.Boolean({ description: 'feed: whether it is served without credentials' })),
  categories: Type.Optional(Type.Array(Type.String({
    pattern: '^[a-z0-9][a-z0-9-]*$', examples: ['news'], maxLength: 200
  }), {
    maxItems: 20, uniqueItems: true, description: 'wordpress: the slugs of categories that are there'
  })),
  author: Type.Optional(Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]*$',
    examples: ['changelog'],
    maxLength: 100,
    description: 'wordpress: the slug of the author; default: username'
  })),
  draft: Type.Optional(Type.Boolean({
    description: 'wordpress: whether posts are made as drafts, which an editor publishes there'
  })),
  recipients: Type.Optional(Type.Array(Type.String({ minLength: 3, maxLength: 254 }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'mail: addresses, such as that of a mailing list; they do not see each other'
  })),
  reply_to: Type.Optional(Type.String({ minLength: 3, maxLength: 254, description: 'mail: who gets the answers' })),
  unsubscribe_url: Type.Optional(Type.Unsafe<string>({
    ...Url, description: 'mail: where readers unsubscribe, for List-Unsubscribe'
  })),
  visibility: Type.Optional(Words(['public', 'unlisted', 'private'] as const, {
    description: 'mastodon: who sees the posts; default: public'
  }))
}, { $id: 'TargetConfig', ...closed, default: {} })
export type TargetConfig = Static<typeof TargetConfig>

const fields = {
  kind: Words(targetKinds),
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  enabled: Type.Boolean({ default: true }),
  channels: Type.Unsafe<Static<typeof Channels>>({ ...Channels, default: [], description: 'Empty: all' }),
  locales: Type.Unsafe<string[]>({ ...Locales, default: [], description: 'Empty: all' }),
  config: TargetConfig
}

export const PublishTarget = Type.Object({
  target_id: Id,
  ...fields,
  secret_set: Type.Boolean(),
  disabled_reason: Nullable(Type.String({ description: 'Why it takes nothing any more, such as a receiver\'s 410' }))
}, { $id: 'PublishTarget' })
export type PublishTarget = Static<typeof PublishTarget>

export const PutTarget = Type.Object({
  target_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Of a target that is there; none = a new one' })),
  ...fields,
  secret: Type.Optional(Nullable(Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Write-only; left out = as it is, null = taken away; needed again when url or username ' +
      'changes. webhook: whsec_ and 24 to 64 bytes in base64; ' +
      'wordpress: an application password; ghost: an Admin API key, <id>:<secret>; mastodon: an access token with ' +
      'write:statuses, and write:media for images; bluesky: an app password. ' +
      'A replaced webhook secret signs beside the new one for a day, unless the url changed with it'
  }))),
  secret_set: Type.Optional(Type.Boolean({ description: 'As it was read; ignored' })),
  disabled_reason: Type.Optional(Nullable(Type.String({
    maxLength: 500, description: 'null makes the target take content again; anything else is ignored'
  })))
}, { $id: 'PutTarget', ...closed })
export type PutTarget = Static<typeof PutTarget>
