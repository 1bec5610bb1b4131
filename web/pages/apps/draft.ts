import type { Schemas } from '../../api/client'
import type { Service } from '../services/read-services'

export type Builder = '' | NonNullable<Schemas['App']['builder']>['kind']

/** An app as a person puts it together. */
export interface Draft {
  repo: string
  branch: string
  service: string
  container: string
  name: string
  image: string
  builder: Builder
  workflow: string
  project: string
  auto: boolean
}

export const blank: Draft = {
  repo: '', branch: 'main', service: '', container: '', name: '', image: '', builder: '', workflow: 'image.yml', project: '', auto: false
}

/** @returns the builder as the API takes it */
const builderOf = ({ builder, workflow, project }: Draft) => ({
  kind: builder,
  ...(builder === 'actions' && { workflow: workflow.trim() }),
  ...(builder === 'codebuild' && { project: project.trim() })
})

export const containersOf = ({ images }: Service): string[] => (images ?? []).map(({ container }) => container)

/** @returns the image that runs, with the commit of a build as its tag */
const templateOf = ({ images }: Service, name: string): string => {
  const image = images?.find(({ container }) => container === name)?.image ?? ''
  return image === '' ? '' : `${image.replace(/@sha256:[0-9a-f]+$/, '').replace(/:[^/:]+$/, '')}:{sha}`
}

/** The name of an app is the repository's, unless a person has typed another. */
export const chooseRepository = (draft: Draft, repository: Schemas['Repository'] | undefined): Draft => {
  const isOwn = draft.name !== '' && draft.name !== draft.repo.split('/').at(-1)
  return {
    ...draft,
    repo: repository?.full_name ?? '',
    branch: repository?.default_branch ?? draft.branch,
    name: isOwn ? draft.name : repository?.name ?? ''
  }
}

export const chooseContainer = (draft: Draft, service: Service, container: string): Draft =>
  ({ ...draft, container, image: templateOf(service, container) })

/** The only container is chosen with its service. */
export const chooseService = (draft: Draft, service: Service | undefined): Draft => {
  const [only = '', ...others] = service ? containersOf(service) : []
  const chosen = { ...draft, service: service?.id ?? '' }
  return service && others.length === 0 ? chooseContainer(chosen, service, only) : { ...chosen, container: '' }
}

/** @returns the input of createApp */
export const inputOf = (draft: Draft) => {
  const { repo, branch, service, container, name, image, builder, auto } = draft
  return {
    name: name.trim(),
    source: { repo, default_branch: branch.trim() },
    target: { kind: 'ecs_service', service_id: service, container },
    ...(image.trim() === '' ? {} : { image: image.trim() }),
    ...(builder === '' ? {} : { builder: builderOf(draft) }),
    ...(auto ? { auto_deploy: { enabled: true, branch: branch.trim() } } : {})
  }
}
