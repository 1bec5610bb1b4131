import { fieldsOf } from '../../schemas/unknown.js'

/**
 * Whose signature an operation takes. `change`: of those who have a passkey, and of everybody where the workspace demands
 * it; `own`: only of those who have one.
 */
export type StepUp = 'change' | 'own'

/**
 * Every operation that makes a way in, or lets something be decided later in a person's name, or takes such from others:
 * a session that was taken over does not suffice for it. A guard fails for an operation that is neither here nor below.
 */
export const waysIn: Readonly<Record<string, StepUp>> = {
  // People, their rights, and how they come in.
  createUser: 'change',
  updateUser: 'change',
  createUserLink: 'change',
  inviteCodehostAccount: 'change',
  createGroup: 'change',
  updateGroup: 'change',
  deleteGroup: 'change',
  createBinding: 'change',
  updateBinding: 'change',
  deleteBinding: 'change',
  addIdentityProvider: 'change',
  updateIdentityProvider: 'change',
  removeIdentityProvider: 'change',
  removeUserIdentity: 'change',
  // Workspaces and what holds in them.
  createWorkspace: 'change',
  createWorkspaceAdmin: 'change',
  // It reads all conversations, and asks for what the assistant does.
  connectModel: 'change',
  updateWorkspaceById: 'change',
  exportWorkspace: 'change',
  importWorkspace: 'change',
  deleteWorkspace: 'change',
  enablePolicies: 'change',
  // What acts or decides in a person's name.
  createDelegation: 'change',
  deletePasskey: 'change',
  offerPasskey: 'own',
  connectIdentity: 'own',
  connectCodehost: 'own',
  createApiToken: 'own',
  decideAuthorization: 'own',
  addContentCalendar: 'own',
  addChannel: 'own',
  updateChannel: 'own',
  giveGrant: 'own',
  // Pushes are deployed with the rights of whoever said what is deployed, and that they are.
  createApp: 'own',
  updateApp: 'own',
  createTrigger: 'own',
  updateTrigger: 'own',
  // Whose tools the assistant has.
  addToolServer: 'own',
  updateToolServer: 'own',
  updateServerTool: 'own'
}

/** What of an operation above needs no signature: it only turns off, or says no. */
const harmless: Readonly<Record<string, (body: Record<string, unknown>) => boolean>> = {
  createApp: ({ auto_deploy: auto }) => fieldsOf(auto).enabled !== true,
  updateApp: ({ auto_deploy: auto, source, target, image }) => fieldsOf(auto).enabled !== true &&
    source === undefined && target === undefined && image === undefined,
  decideAuthorization: ({ decision }) => decision === 'deny',
  updateChannel: ({ enabled, ...rest }) => enabled === false && Object.keys(rest).length === 0,
  updateTrigger: ({ enabled, ...rest }) => enabled === false && Object.keys(rest).length === 0,
  updateToolServer: ({ enabled, ...rest }) => enabled === false && Object.keys(rest).length === 0,
  updateServerTool: ({ mode, ...rest }) => mode === 'off' && Object.keys(rest).length === 0
}

/** @returns whether this request of the operation makes no way in */
export const isHarmless = (operation: string, body: unknown): boolean => harmless[operation]?.(fieldsOf(body)) === true

/** Other writes that are no tools, and why they make no way in. */
export const noWaysIn: Readonly<Record<string, readonly string[]>> = {
  'takes a way away': ['disconnectAssistant', 'disconnectCodehost', 'endBrowserSession', 'endCurrentSession',
    'endSessionEverywhere', 'deleteContentCalendar', 'deleteTrigger', 'removeChannel', 'removeToolServer',
    'revokeApiToken', 'revokeDelegation', 'revokeGrant', 'disconnectModel'],
  'decides, asks or says something now, and nothing later': ['chat', 'queueChatMessage', 'deleteQueuedMessage', 'cancelRun',
    'confirm', 'decideConfirmations', 'decideSteps', 'planConfirmation', 'proposePlan', 'proposeToolCall', 'runTrigger',
    'callServerTool', 'signConfirmation', 'signSteps', 'signOperation', 'evaluatePolicies', 'replayPolicies', 'checkText',
    'generateTitle', 'giveFeedback', 'withdrawFeedback', 'openDelivery', 'createIssue', 'refreshToolServer'],
  'completes what was signed when it began': ['createPasskey', 'confirmChannel', 'updatePasskey'],
  'sends or tests what was set up with a signature, or by an admin': ['resendAuditDeadLetter', 'resendChannelDelivery',
    'resendDeadDelivery', 'testAuditDestination', 'testChannel', 'testIdentityProvider',
    'testModelConnection'],
  'is a draft that holds once it is enabled': ['putPolicies'],
  'changes a record, by which nobody acts': ['addAttachment', 'deleteChatSession', 'forkChatSession', 'updateChatSession',
    'updateMe', 'updatePreferences', 'updateWorkspace', 'putProjectInstructions', 'unarchiveProject', 'addContentImage',
    'deleteContentImage', 'createReleaseBrief', 'putBrandStyle', 'deleteBrandStyle', 'editContentComment',
    'deleteContentComment', 'setContentTranslation', 'undoContentRepair', 'replaceNamedStandard', 'deleteNamedStandard',
    'undeleteApp', 'undeleteSpecSession', 'acceptContentStatement',
    'addBriefSource', 'acceptBriefFacts'],
  'is where the record goes, or what signs it': ['addAuditDestination', 'updateAuditDestination',
    'removeAuditDestination', 'rotateAuditKey'],
  'leads out to a cloud account, and nobody in': ['createCloudAccount', 'updateCloudAccount', 'deleteCloudAccount']
}
