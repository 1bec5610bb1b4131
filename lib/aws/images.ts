import { type ImageCheck, ImageNotFound } from '../../schemas/cloud/errors.js'
import { ApiError } from '../../schemas/errors.js'
import { fieldsOf, textIn } from '../../schemas/unknown.js'
import type { AwsAccount, Aws } from './account-clients.js'
import { awsDetailOf } from './errors.js'

/** Where an image of ECR is; its tag is `latest` where none is named. */
interface Place { registryId: string, region: string, repositoryName: string, id: object, called: string }

const form = new RegExp('^(\\d{12})\\.dkr[.-]ecr(?:-fips)?\\.([a-z0-9-]+)\\.(?:amazonaws\\.com(?:\\.cn)?|on\\.aws)/' +
  '([^:@]+)(?::([^/:@]+))?(?:@(sha256:[0-9a-f]{64}))?$')

const readPlace = (image: string): Place | undefined => {
  const [, registryId, region, repositoryName, tag = 'latest', digest] = form.exec(image) ?? []
  if (registryId === undefined || region === undefined || repositoryName === undefined) return undefined
  return digest === undefined
    ? { registryId, region, repositoryName, id: { imageTag: tag }, called: `tag ${tag}` }
    : { registryId, region, repositoryName, id: { imageDigest: digest }, called: `digest ${digest}` }
}

type Ask = Pick<Aws, 'askRegistry'>

const list = (value: unknown): unknown[] => Array.isArray(value) ? value : []

/** @returns whether ECR fetches the repository's images from another registry as they are pulled */
const isFetched = async (aws: Ask, account: AwsAccount, { region, repositoryName }: Place): Promise<boolean> => {
  const answer = await aws.askRegistry({ account, region }, 'DescribePullThroughCacheRules', {})
  const prefixes = list(fieldsOf(answer).pullThroughCacheRules).map((rule) => textIn(rule, 'ecrRepositoryPrefix'))
  return prefixes.some((prefix) => prefix === 'ROOT' ||
    (prefix !== undefined && repositoryName.startsWith(`${prefix}/`)))
}

const missingCodes = ['ImageNotFoundException', 'RepositoryNotFoundException']

/** What a registry says of an image: `denied` may be mended by rights, `silent` by asking again, `fetched` by neither. */
export type FoundImage = { state: 'found', digest: string } |
  { state: 'missing' | 'denied' | 'silent' | 'fetched', why: string }

/** What a lack of permission, an endpoint or a limit means: nothing of the image is known. */
const unanswered = ({ code }: ApiError): FoundImage => code === 'aws_permission_denied'
  ? { state: 'denied', why: 'this account may not ask its registry (ecr:DescribeImages)' }
  : { state: 'silent', why: `its registry did not say (${code})` }

const explainMissing = async (aws: Ask, account: AwsAccount, place: Place, code: string): Promise<FoundImage> => {
  if (await isFetched(aws, account, place)) {
    return { state: 'fetched', why: 'its registry fetches it from another one when it is first pulled' }
  }
  const { repositoryName: name, registryId, region, called } = place
  const why = code === 'RepositoryNotFoundException'
    ? `ECR of ${registryId} in ${region} has no repository ${name}`
    : `ECR of ${registryId} in ${region} has repository ${name}, and no ${called} in it: it was never pushed, or was deleted`
  return { state: 'missing', why }
}

/** @returns whether the image is named as ECR names its images */
export const isOfEcr = (image: string): boolean => readPlace(image) !== undefined

/**
 * Asks ECR for an image, with the credentials of the account that would pull it.
 * @returns undefined of another registry
 */
export const findInEcr = async (aws: Ask, account: AwsAccount, image: string): Promise<FoundImage | undefined> => {
  const place = readPlace(image)
  if (!place) return undefined
  const { registryId, region, repositoryName, id } = place
  try {
    const answer = await aws.askRegistry({ account, region }, 'DescribeImages',
      { registryId, repositoryName, imageIds: [id] })
    const digest = textIn(list(fieldsOf(answer).imageDetails)[0], 'imageDigest')
    return digest === undefined ? { state: 'silent', why: 'its registry named no digest' } : { state: 'found', digest }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const code = awsDetailOf(error).code ?? ''
    if (!missingCodes.includes(code)) return unanswered(error)
    return explainMissing(aws, account, place, code).catch((other: unknown): FoundImage => {
      if (!(other instanceof ApiError)) throw other
      return {
        state: 'fetched',
        why: 'it is not in its registry, and whether that fetches it from another one cannot be read ' +
          '(ecr:DescribePullThroughCacheRules)'
      }
    })
  }
}

/**
 * Asks the registry whether it has an image.
 * @returns `unchecked`, with the reason, of what is not known: another registry than ECR, or no answer
 */
export const checkImage = async (aws: Ask, account: AwsAccount, image: string): Promise<ImageCheck> => {
  const found = await findInEcr(aws, account, image)
  if (!found) return { image, state: 'unchecked', digest: null, why: 'only registries of ECR can be asked' }
  if (found.state === 'found') return { image, state: 'found', digest: found.digest, why: null }
  return { image, state: found.state === 'missing' ? 'missing' : 'unchecked', digest: null, why: found.why }
}

/**
 * @param use what the image cannot do, such as "cannot run"
 * @throws image_not_found for what no task or function could pull
 */
export const requireImage = ({ image, state, why }: ImageCheck, use = 'cannot run'): void => {
  if (state === 'missing') throw ImageNotFound(`${image} ${use}: ${why}`, { image })
}

/** @returns the line for a card of an image of which nothing is known; null of one that is there */
export const describeUnchecked = ({ image, state, why }: ImageCheck): string | null => state === 'unchecked'
  ? `Whether ${image} exists was not checked: ${why}`
  : null
