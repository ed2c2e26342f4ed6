import { ConfigError } from 'ftl-client'
import { type ClientSettings, clientSettings } from 'ftl-client/auth'
import { CommandFailure } from '../terminal/failure.ts'
import { type ClientFlags, clientFlagsOf, storedAuth } from './client-options.ts'

/**
 * The client that a command is at an authorization server, with its secret or key.
 *
 * @param flags @default those of the environment
 * @throws {CommandFailure}
 */
export async function commandClient(
  flags: ClientFlags = clientFlagsOf(process.env),
): Promise<ClientSettings> {
  const { clientMetadataUrl: metadataUrl } = flags
  try {
    const settings = await clientSettings(storedAuth(flags))
    return { ...settings, ...(metadataUrl !== undefined && { metadataUrl }) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // A configuration file has this field; here it is an option.
    const field = `${error.field}: `
    throw new CommandFailure(`--private-key (FTL_CLIENT_KEY) ${error.message.replace(field, '')}`)
  }
}
