import { AwsError, invalid } from '../core/errors.js'
import { denied, type Call } from '../core/operation.js'
import type { Region } from '../core/world.js'
import { containersOf } from '../ecs/containers.js'

export interface RepositoryRequest { registryId?: string, repositoryName?: string }

const hostOf = ({ accountId, name }: Region) => `${accountId}.dkr.ecr.${name}.amazonaws.com`

/** The repositories of a region: of every image that a revision names, and of every function that is made of one. */
function repositoriesOf (region: Region): Set<string> {
  const images = [...region.ecs.taskDefinitions.values()].flat().flatMap(containersOf).map(({ image }) => image)
  const own = images.filter((image) => image.startsWith(`${hostOf(region)}/`))
    .map((image) => image.slice(hostOf(region).length + 1).replace(/(:[^/:]*)?(@.*)?$/, ''))
  const functions = [...region.functions.values()]
    .filter(({ versions }) => versions[0]?.PackageType === 'Image').map(({ name }) => name)
  return new Set([...own, ...functions])
}

/** The repository, or ECR's refusal: of another account none has a policy that lets this one read. */
export function requireRepository ({ region, input, caller }: Call<RepositoryRequest>) {
  const { registryId = region.accountId, repositoryName: name } = input
  if (!name) throw invalid("Invalid parameter at 'repositoryName' failed to satisfy constraint: 'must not be null'")
  if (registryId !== region.accountId) {
    const arn = `arn:aws:ecr:${region.name}:${registryId}:repository/${name}`
    throw denied(caller.arn, 'ecr:DescribeImages', arn, 'resource_policy')
  }
  if (!repositoriesOf(region).has(name)) {
    throw new AwsError('RepositoryNotFoundException',
      `The repository with name '${name}' does not exist in the registry with id '${registryId}'`)
  }
  return { name, registryId, url: `${hostOf(region)}/${name}` }
}
