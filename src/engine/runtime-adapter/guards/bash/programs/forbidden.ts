import type { RuleName } from '../rules.ts';

/** The blocklist of programs, builtins and keywords, by the rule they break. */
const BY_RULE: readonly (readonly [RuleName, string])[] = [
  ['delete-files', 'rm rmdir unlink shred srm wipe truncate dd trash trash-put gio rimraf del del-cli shx mkfs'],
  ['print-environment', 'printenv compgen'],
  ['signal', 'kill pkill killall killall5 skill xkill fuser disown'],
  ['change-mode', 'chown chgrp chattr setfacl chcon umask setcap mknod mkfifo'],
  [
    'pager-or-editor',
    'less more most pg vi vim nvim view rvim vimdiff ex ed red nano pico emacs emacsclient joe micro helix hx kak code ' +
      'man info top htop watch screen tmux byobu mc ranger dialog whiptail',
  ],
  [
    'shell',
    'sh bash zsh dash ash ksh ksh93 mksh rksh rbash fish csh tcsh elvish nu pwsh powershell busybox toybox script expect ' +
      'tclsh wish osascript sh.exe bash.exe cmd cmd.exe xonsh',
  ],
  [
    'shell-evaluation',
    'eval source . exec trap alias unalias enable shopt hash bind complete compopt fc history let readonly caller ' +
      'cross-env-shell concurrently nodemon entr parallel env-cmd dotenv dotenvx direnv runcon',
  ],
  [
    'privilege',
    'sudo su doas pkexec runuser setpriv chroot unshare nsenter capsh newgrp sg login passwd visudo setsid daemonize ' +
      'docker podman buildah nerdctl kubectl helm lxc systemctl service launchctl systemd-run crontab at batch atd mount ' +
      'umount swapon modprobe insmod reboot shutdown halt poweroff init gdb lldb strace ltrace ptrace bwrap firejail ' +
      'ld.so ld-linux-x86-64.so.2 ld-linux.so.2 ld-linux-aarch64.so.1 apt apt-get dpkg yum dnf rpm apk pacman brew snap',
  ],
  [
    'network',
    'curl wget nc ncat netcat socat telnet ftp sftp tftp scp ssh ssh-add ssh-agent ssh-keygen ssh-keyscan sshfs rsync ' +
      'rclone dig nslookup host ping ping6 traceroute nmap tcpdump openssl gpg httpie http https xh aria2c lynx w3m links ' +
      'elinks gh glab hub tea aws gcloud gsutil az heroku vercel netlify flyctl fly firebase wrangler doctl ngrok ' +
      'cloudflared mail sendmail mutt mysql psql redis-cli mongosh xdg-open open',
  ],
  ['publish-or-login', 'twine npm-cli-login semantic-release np changeset-publish'],
  ['uninstalled-package', 'bunx uvx pipx pnpx'],
];

export const FORBIDDEN_PROGRAMS: ReadonlyMap<string, RuleName> = new Map(
  BY_RULE.flatMap(([rule, names]) => names.split(' ').map((name): [string, RuleName] => [name, rule])),
);
