import { input } from '../routes/content/actors.js'
import type { ConsentCase } from './case.js'
import { makeWorld } from './content-world.js'

const createBrief: ConsentCase = {
  tool: 'createBrief',
  async arrange (app) {
    const { project, archiveProject, renameProject, json } = await makeWorld(app)
    return {
      args: input(project),
      drifts: { 'its project is archived': archiveProject },
      irrelevant: { 'its project gets another name': renameProject },
      executed: async () => (await json(`/briefs?project_id=${project}`)).items.length
    }
  }
}

const replaceBrief: ConsentCase = {
  tool: 'replaceBrief',
  async arrange (app) {
    const { project, brief, editBrief, post, json } = await makeWorld(app)
    const { id } = await brief()
    const { project_id: _, ...body } = input(project, { title: 'One tap', keywords: ['pay'] })
    const change = (changed: object) => () => editBrief(id, changed)
    return {
      args: { brief_id: id, ...body },
      drifts: {
        'its title': change({ title: 'Faster' }),
        'its key message': change({ key_message: 'Checkouts are faster' }),
        'its points': change({ points: [{ text: 'Nothing to install' }] }),
        'a list that is emptied': change({ must_include: ['One tap'] }),
        'it is archived': () => post(`/briefs/${id}/transitions`, { to: 'archived' })
      },
      irrelevant: { 'its status': () => post(`/briefs/${id}/transitions`, { to: 'ready' }) },
      executed: async () => (await json(`/briefs/${id}`)).title === 'One tap' ? 1 : 0
    }
  }
}

const transitionBrief: ConsentCase = {
  tool: 'transitionBrief',
  async arrange (app) {
    const { brief, editBrief, post, json } = await makeWorld(app)
    const { id } = await brief()
    return {
      args: { brief_id: id, to: 'ready' },
      drifts: {
        'what it says': () => editBrief(id, { goal: 'More checkouts' }),
        'its status': () => post(`/briefs/${id}/transitions`, { to: 'archived' })
      },
      executed: async () => (await json(`/briefs/${id}`)).status === 'ready' ? 1 : 0
    }
  }
}

const archiveBrief: ConsentCase = {
  tool: 'archiveBrief',
  async arrange (app) {
    const { brief, editBrief, post, json } = await makeWorld(app)
    const { id } = await brief()
    return {
      args: { brief_id: id },
      drifts: {
        'its title': () => editBrief(id, { title: 'Another one' }),
        'its status': () => post(`/briefs/${id}/transitions`, { to: 'ready' })
      },
      irrelevant: { 'what it says': () => editBrief(id, { goal: 'More checkouts' }) },
      executed: async () => (await json(`/briefs/${id}`)).status === 'archived' ? 1 : 0
    }
  }
}

const blog = { kind: 'wordpress', name: 'Blog', config: { url: 'https://blog.example.com', username: 'ada' } }
const password = 'abcd efgh ijkl mnop'

const replaceBrand: ConsentCase = {
  tool: 'replaceBrand',
  async arrange (app) {
    const world = await makeWorld(app)
    const { project, changeBrand, changeTarget, renameProject, archiveProject, json } = world
    await changeBrand({ publish_targets: [world.site, world.news, { ...blog, secret: password }] })
    const [site, news, { target_id }] = (await json(`/brands/${project}`)).publish_targets
    const at = (url: string, secret: string) => ({ ...blog, target_id, secret, config: { ...blog.config, url } })
    return {
      args: {
        project_id: project,
        min_score: 70,
        approval: { self_approval: true },
        publish_targets: [site, news, at('https://elsewhere.example.com', 'qrst uvwx yzab cdef')]
      },
      drifts: {
        'a setting that is changed': () => changeBrand({ min_score: 75 }),
        'a setting that is left out': () => changeBrand({ name: 'Larkspur' }),
        'where a target sends': () => changeTarget(target_id, at('https://third.example.com', 'ghij klmn opqr stuv')),
        'whether a target is enabled': () => changeTarget(news.target_id, { enabled: false }),
        'the secret of a target': () => changeTarget(target_id, { secret: 'ghij klmn opqr stuv' }),
        'its project is archived': archiveProject
      },
      irrelevant: { 'its project gets another name': renameProject },
      executed: async () => (await json(`/brands/${project}`)).min_score === 70 ? 1 : 0
    }
  }
}

const createContent: ConsentCase = {
  tool: 'createContent',
  async arrange (app) {
    const { project, draft, write, changeBrand, archiveProject, renameProject, json } = await makeWorld(app)
    return {
      args: draft({ title: 'Taps' }),
      drifts: {
        'its address is taken': () => write({ title: 'Another text', slug: 'taps', body_markdown: 'Elsewhere.' }),
        'its project is archived': archiveProject
      },
      irrelevant: {
        'its project gets another name': renameProject,
        'the default language': () => changeBrand({ locales: { default: 'de', enabled: ['de', 'en'] } })
      },
      executed: async () => (await json(`/?project_id=${project}&q=taps&locale=en`)).items.length
    }
  }
}

export const textCases = [
  createBrief, replaceBrief, transitionBrief, archiveBrief, replaceBrand, createContent
]
