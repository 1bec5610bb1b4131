import { AwsError, invalid } from '../core/errors.js'
import { operation, type Call, type Operation } from '../core/operation.js'
import { seconds } from '../core/wire.js'
import { isInRegistry } from '../ecs/endings.js'
import { digestOf } from '../ecs/tasks.js'
import { requireRepository, type RepositoryRequest } from './repositories.js'

interface ImageId { imageTag?: string, imageDigest?: string }

interface DescribeImagesRequest extends RepositoryRequest { imageIds?: ImageId[] }

export const ecrOperations: Record<string, Operation> = {
  DescribeImages: operation('ecr:DescribeImages', describeImages, ({ region, input }) =>
    `arn:aws:ecr:${region.name}:${input.registryId ?? region.accountId}:repository/${input.repositoryName ?? ''}`),
  DescribePullThroughCacheRules: operation('ecr:DescribePullThroughCacheRules',
    ({ world }: Call<RepositoryRequest>) => ({
      pullThroughCacheRules: world.cachePrefixes.map((ecrRepositoryPrefix) =>
        ({ ecrRepositoryPrefix, upstreamRegistryUrl: 'public.ecr.aws' }))
    }))
}

/** A repository has whatever tag is asked for, as if a pipeline had pushed it; but what was deleted. */
function describeImages (call: Call<DescribeImagesRequest>) {
  const { imageIds = [] } = call.input
  const repository = requireRepository(call)
  if (imageIds.length === 0) throw invalid('The sandbox describes images by their ids only.')
  return {
    imageDetails: imageIds.map(({ imageTag, imageDigest }) => {
      const image = `${repository.url}${imageDigest === undefined ? `:${imageTag ?? ''}` : `@${imageDigest}`}`
      if (!isInRegistry(call.world, image)) throw missing(repository, { imageTag, imageDigest })
      const digest = imageDigest ?? call.world.movedTags.get(image) ?? digestOf(image)
      if (imageTag !== undefined) call.world.tagsOfDigests.set(digest, image)
      return {
        registryId: repository.registryId,
        repositoryName: repository.name,
        imageDigest: digest,
        ...(imageTag !== undefined && { imageTags: [imageTag] }),
        imageSizeInBytes: 41_000_000,
        imagePushedAt: seconds(call.now - 3_600_000),
        imageManifestMediaType: 'application/vnd.oci.image.manifest.v1+json'
      }
    })
  }
}

function missing ({ name, registryId }: { name: string, registryId: string }, id: Partial<ImageId>): AwsError {
  return new AwsError('ImageNotFoundException',
    `The image with imageId {imageDigest:'${id.imageDigest ?? 'null'}', imageTag:'${id.imageTag ?? 'null'}'} does ` +
    `not exist within the repository with name '${name}' in the registry with id '${registryId}'`)
}
