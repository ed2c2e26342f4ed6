/**
 * What inputs are called, in the words of ComfyUI's own nodes. Many nodes are written in China and have inputs with Chinese
 * names, and others have several words and capitals.
 */

const CHINESE: Readonly<Record<string, string>> = {
  ...{
    提示词: 'prompt',
    用户提示词: 'user_prompt',
    文本: 'text',
    文本内容: 'text',
    输入文本: 'text',
  },
  ...{ 正面提示词: 'positive_prompt', 正向提示词: 'positive_prompt', 正面文本: 'positive_prompt' },
  ...{
    负面提示词: 'negative_prompt',
    负向提示词: 'negative_prompt',
    反向提示词: 'negative_prompt',
  },
  ...{ 负面文本: 'negative_prompt', 系统提示词: 'system_prompt', 系统指令: 'system_prompt' },
  ...{ 正面条件: 'positive', 正向条件: 'positive', 负面条件: 'negative', 负向条件: 'negative' },
  ...{ 种子: 'seed', 随机种子: 'seed', 步数: 'steps', 采样步数: 'steps', 降噪: 'denoise' },
  ...{ 降噪强度: 'denoise', 重绘幅度: 'denoise', CFG值: 'cfg', 采样器: 'sampler_name' },
  ...{ 采样器名称: 'sampler_name', 调度器: 'scheduler', 宽度: 'width', 高度: 'height' },
  ...{ 批次大小: 'batch_size', 批次数量: 'batch_size', 帧数: 'length', 总帧数: 'length' },
  ...{ 帧率: 'fps', 时长: 'duration', 视频时长: 'duration' },
  ...{ 图像: 'image', 图片: 'image', 遮罩: 'mask', 视频: 'video', 音频: 'audio', 模型: 'model' },
  // Texts that are not those of a caller.
  ...{ 文件名: 'filename', 文件名前缀: 'filename_prefix', 路径: 'path', 保存路径: 'path' },
  ...{ 分隔符: 'separator', 模板: 'template', 代码: 'code', API密钥: 'api_key' },
}

/** `seed` of `model.seed`, of `种子` and of `随机种子`, and `Positive_Prompt` of `Positive Prompt`. */
export function wordOf(inputName: string): string {
  // Inputs of a dynamic input are named after it.
  const last = (inputName.split('.').at(-1) ?? inputName).trim()
  return englishOf(last) ?? last.replace(/\s+/g, '_')
}

/** @returns `undefined` for a name that is not known. */
export function englishOf(name: string): string | undefined {
  return Object.hasOwn(CHINESE, name) ? CHINESE[name] : undefined
}

/** Anthropic takes names of 64 characters. There is room for the number of a node. */
const MOST = 50

/** The name of a field that all providers of models take. Its type, if it is one of another script. */
export function fieldName({ name, type }: { name: string; type: string }): string {
  if (/^[\w.-]+$/.test(name)) return name.slice(0, MOST)
  const words = name.split(/[^A-Za-z0-9.-]+/).filter((word) => word !== '')
  return words.join('_').slice(0, MOST) || (type === 'string' ? 'text' : type)
}
