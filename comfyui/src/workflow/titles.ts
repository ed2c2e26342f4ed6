/**
 * Titles that an author gives to nodes in the ComfyUI editor. Several nodes may have the same one.
 *
 * They are those of MCP_GenImage, so its workflows run unchanged.
 *
 * @see https://github.com/grokuku/MCP_GenImage
 */
export const TITLES = {
  prompt: 'MCP_INPUT_PROMPT',
  negativePrompt: 'MCP_INPUT_NEGATIVE_PROMPT',
  seed: 'MCP_SEED',
  resolution: 'MCP_RESOLUTION',
  output: 'MCP_OUTPUT_IMAGE',
} as const
