import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findProject, listProjects } from '../../db/account/projects.js'
import {
  CreateProject, ListProjects, Project, ProjectPage, ProjectParams, UpdateProject
} from '../../schemas/account/projects.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { InvalidCursor, NotFound, NotOwner } from '../../schemas/errors.js'
import { addProject, changeProject, moveProject } from './lib/settings/change-project.js'
import { ProjectNameTaken } from './lib/errors.js'
import { visibleProjects } from '../../lib/access/require-access.js'
import { paginateById } from '../../lib/http/paginate.js'
import { archiveTool, createTool, updateTool } from './lib/settings/project-tools.js'

const projects: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/projects', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: false,
        use: 'Use this to see the projects of the workspace, or to find the id of one.',
        gives: 'the projects, newest first, with id, name and description.',
        keywords: 'projects workspace overview'
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listProjects',
      summary: 'List projects',
      description: 'The projects of the workspace, newest first; without the archived ones unless asked for.',
      tags: ['account'],
      querystring: ListProjects,
      response: { 200: ProjectPage }
    }
  }, ({ principal, query }) => {
    const { archived, q } = query
    return paginateById(app, { principal, list: 'projects', filter: [archived, q], query },
      (slice) => listProjects(app.db, principal.workspace_id,
        { archived, q, projects: visibleProjects(principal) }, slice))
  })

  app.get('/projects/:project_id', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see one project, archived or not.',
        gives: 'its name, description and revision.',
        keywords: 'project details description'
      }
    },
    schema: {
      operationId: 'getProject',
      summary: 'Read one project',
      description: 'One project, archived or not. The ETag is its revision.',
      tags: ['account'],
      params: ProjectParams,
      response: { 200: Project }
    }
  }, async ({ principal, params }, reply) => {
    const project = await findProject(app.db, principal.workspace_id, params.project_id)
    if (!project) throw NotFound()
    reply.header('etag', etag(project.revision))
    return project
  })

  app.post('/projects', {
    config: {
      tool: createTool,
      words: {
        foreign: false,
        use: 'Use this to start a project, which holds specs and content.',
        gives: 'the new project with its id.',
        keywords: 'new start add project begin'
      },
      errors: [ProjectNameTaken]
    },
    schema: {
      operationId: 'createProject',
      summary: 'Create a project',
      description: 'Makes a project. Its name is unique, in any case, among the projects that are not archived.',
      tags: ['account'],
      body: CreateProject,
      response: { 201: Project }
    }
  }, async ({ principal, body }, reply) => {
    const project = await addProject(app.db, principal.workspace_id, principal.user_id, body)
    reply.code(201).header('etag', etag(project.revision)).header('location', `/account/projects/${project.id}`)
    return project
  })

  app.patch('/projects/:project_id', {
    config: {
      tool: updateTool,
      words: {
        foreign: false,
        use: 'Use this to change the name or the description of a project.',
        gives: 'the project as it is after the change.',
        keywords: 'rename change edit project name description'
      },
      errors: [ProjectNameTaken, StaleRevision]
    },
    schema: {
      operationId: 'updateProject',
      summary: 'Change a project',
      description: 'Changes the name, the description, or both. With If-Match only if that revision is current.',
      tags: ['account'],
      params: ProjectParams,
      headers: IfMatch,
      body: UpdateProject,
      response: { 200: Project }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const project = await changeProject(app.db, principal.workspace_id, params.project_id, body, revisions)
    reply.header('etag', etag(project.revision))
    return project
  })

  app.post('/projects/:project_id/archive', {
    config: {
      tool: archiveTool,
      words: {
        foreign: false,
        use: 'Use this when a project is finished: it leaves the lists, and nothing is deleted.',
        gives: 'the archived project.',
        keywords: 'archive put away close finish project'
      },
      errors: [StaleRevision, NotOwner]
    },
    schema: {
      operationId: 'archiveProject',
      summary: 'Archive a project',
      description: 'Takes the project out of the lists and frees its name; deletes nothing. Again = the same answer. ' +
        'With If-Match only if that revision is current. Members archive their own, admins any.',
      tags: ['account'],
      params: ProjectParams,
      headers: IfMatch,
      response: { 200: Project }
    }
  }, async ({ principal, params, headers }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const project = await moveProject(app.db, principal, params.project_id, true, revisions)
    reply.header('etag', etag(project.revision))
    return project
  })

  app.post('/projects/:project_id/unarchive', {
    config: { errors: [ProjectNameTaken, NotOwner] },
    schema: {
      operationId: 'unarchiveProject',
      summary: 'Bring an archived project back',
      description: 'Puts the project back into the lists, if no other one took its name. Again = the same answer. ' +
        'Members bring back their own, admins any.',
      tags: ['account'],
      params: ProjectParams,
      response: { 200: Project }
    }
  }, async ({ principal, params }, reply) => {
    const project = await moveProject(app.db, principal, params.project_id, false)
    reply.header('etag', etag(project.revision))
    return project
  })
}

export default projects
