/**
 * What a shell runs to complete `ftl …`. Each script asks `ftl complete` for what may come next, so that it never is
 * older than the command.
 */

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** Where a shell looks for it, for the help. */
export const INSTALLATION: Readonly<Record<Shell, string>> = {
  bash: 'ftl completion bash > ~/.local/share/bash-completion/completions/ftl',
  zsh: 'ftl completion zsh > "${fpath[1]}/_ftl"',
  fish: 'ftl completion fish > ~/.config/fish/completions/ftl.fish',
}

// Lines of `ftl complete`: the word, a tab, its description. A line of a single colon and a letter asks for files.
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion of ftl
_ftl() {
  local current="\${COMP_WORDS[COMP_CWORD]}" word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    if [[ $word == ':files' ]]; then
      compopt -o filenames 2>/dev/null
      COMPREPLY+=($(compgen -f -- "$current"))
    else
      COMPREPLY+=("$word")
    fi
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _ftl ftl
`,
  zsh: `#compdef ftl
_ftl() {
  local -a found
  local word description
  while IFS=$'\\t' read -r word description; do
    if [[ $word == ':files' ]]; then _files; else found+=("\${word//:/\\\\:}:$description"); fi
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#found )) && _describe 'ftl' found
}
if [[ $funcstack[1] == _ftl ]]; then _ftl "$@"; else compdef _ftl ftl; fi
`,
  fish: `# fish completion of ftl
function __ftl_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  for line in ($before[1] complete -- $before[2..-1] "$current" 2>/dev/null)
    if string match -q ':files*' -- $line
      __fish_complete_path "$current"
    else
      echo $line
    end
  end
end
complete -c ftl -f -a '(__ftl_complete)'
`,
}

export function completionScript(shell: Shell): string {
  return SCRIPTS[shell]
}
