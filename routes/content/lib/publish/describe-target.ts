import type { PublishTarget, TargetConfig } from '../../../../schemas/content/targets.js'
import { defaultPath } from '../targets/open-pull.js'

type Sends = Pick<PublishTarget, 'kind' | 'config'>

const describeWordpress = ({ url, username, author, categories = [], draft }: TargetConfig): string => [
  `WordPress ${url}, as ${username}`,
  ...(author === undefined ? [] : [`by ${author}`]),
  ...(categories.length === 0 ? [] : [`in ${categories.join(', ')}`]),
  ...(draft ? ['as a draft'] : [])
].join(', ')

/** @returns where a target sends, such as "webhook https://hooks.example.com/in" */
export const describeTarget = ({ kind, config }: Sends): string => {
  switch (kind) {
    case 'git_pr':
      return `a pull request in repository ${config.repo_id}, into ${config.base ?? 'its default branch'}, ` +
        `as ${config.path_template ?? defaultPath}`
    case 'feed': return config.public ? 'the public feed' : 'the feed'
    case 'webhook': return `webhook ${config.url}`
    case 'wordpress': return describeWordpress(config)
    case 'ghost': return `Ghost ${config.url}`
    case 'mail': return `mail to ${(config.recipients ?? []).join(', ')}`
    case 'mastodon': return `Mastodon ${config.url}, ${config.visibility ?? 'public'}`
    case 'bluesky': return `Bluesky ${config.url}, as ${config.username}`
    case 'linkedin': return 'a text to paste at LinkedIn'
  }
}

/** @returns where each target sends, as a fact: an approval is void after a target was redirected */
export const targetFacts = (targets: readonly (Sends & { target_id: string })[]) =>
  Object.fromEntries(targets.map(({ target_id: id, kind, config }) => [id, { kind, config }]))

/** @returns the ids of the targets and of their repositories, as parents of a publication */
export const targetHolders = (targets: readonly (Sends & { target_id: string })[]): Record<string, string> =>
  Object.fromEntries(targets.flatMap(({ target_id: id, config: { repo_id: repo } }) => [
    [`publish_target:${id}`, id],
    ...(repo === undefined ? [] : [[`repository:${id}`, repo]])
  ]))

/** @returns the time in UTC and, where a time zone is given, in that zone */
export const describeTime = (at: Date | string, timezone: string | null | undefined): string => {
  const time = new Date(at)
  if (!timezone) return time.toISOString()
  const local = time.toLocaleString('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
  return `${time.toISOString()}, which is ${local} in ${timezone}`
}
