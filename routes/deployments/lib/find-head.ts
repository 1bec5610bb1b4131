import type { Read } from '../../../lib/tools/options.js'
import { CommitPage } from '../../../schemas/codehost/commits.js'
import { RepositoryPage } from '../../../schemas/codehost/repositories.js'
import { TargetNotFound } from './errors.js'

/** Whoever has no code host, or none that they may ask, builds by refs. */
export const noAccessCodes = ['codehost_not_configured', 'codehost_not_connected', 'insufficient_scope',
  'insufficient_role', 'not_found']

const isNumeric = (repo: string) => /^[1-9]\d{0,18}$/.test(repo)

const findId = async (repo: string, read: Read): Promise<string> => {
  if (isNumeric(repo)) return repo
  const { items } = await read(`/codehost/repos?full_name=${encodeURIComponent(repo)}`, RepositoryPage)
  if (!items[0]) throw TargetNotFound(`The code host shows no repository ${repo} to you`)
  return items[0].id
}

/** @returns the commit that a branch, tag or short hash is at now. @throws what the code host's routes answer */
export const findHead = async (repo: string, ref: string, read: Read): Promise<string | null> => {
  const query = new URLSearchParams({ ref, limit: '1' })
  const { items } = await read(`/codehost/repos/${await findId(repo, read)}/commits?${query}`, CommitPage)
  return items[0]?.sha ?? null
}
