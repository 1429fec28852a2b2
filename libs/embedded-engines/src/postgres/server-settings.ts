/**
 * Settings of the embedded server. What is acknowledged is on disk (`fsync` and
 * `synchronous_commit` stay on); checkpoints are rare because after each of them every touched
 * page of the claims goes to the write-ahead log in full. The log is opened so that writing it
 * waits for the disk, which promises the same as a flush after each write, for one call less.
 */
const server_settings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // A socket path has room for about 100 bytes, a data directory may be deeper than that.
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_sync_method: 'open_datasync',
  wal_level: 'minimal',
  max_wal_senders: '0',
  checkpoint_timeout: '15min',
  max_wal_size: '2GB',
  shared_buffers: '256MB',
  max_connections: '200',
  dynamic_shared_memory_type: 'mmap',
  jit: 'off',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_line_prefix: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** The settings as command-line arguments of `postgres`. */
export function settingArguments(): string[] {
  return Object.entries(server_settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
