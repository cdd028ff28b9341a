import FoundationEssentials
import Glibc
import ZeroMQ

/// What tells this host's locks from another's: the system that runs, and the folder of the stores.
///
/// A socket's path says nothing of its host. Two hosts, and two containers of one host, may have equal paths, and locks
/// that know nothing of each other. After a restart of the system it is another mark: then a counter is watched for
/// 3 s, although nobody of before can live.
struct HostMark: Hashable, Sendable {
    private static let systemFile = "/proc/sys/kernel/random/boot_id"

    private let text: String

    /// The mark of the host whose stores lie below `folder`, which is there.
    ///
    /// - Throws: `ConfigurationError`.
    init(storesIn folder: String) throws(ConfigurationError) {
        var status = stat()
        guard stat(folder, &status) == 0 else {
            throw ConfigurationError(file: folder, problem: FileAccess.reason(folder) ?? "is not there")
        }
        let system = try ConfigurationFile.contents(Self.systemFile, otherwise: "mount /proc")
        let line = String(decoding: system, as: UTF8.self).prefix { !$0.isWhitespace }
        text = "\(line):\(status.st_dev):\(status.st_ino)"
    }

    init(_ text: String) { self.text = text }

    /// An endpoint as this host's owners write it into the log.
    ///
    /// Of one in the network the text is the same on every host that may have it; such an address is one host's.
    func text(of endpoint: Endpoint) -> String {
        switch endpoint {
        case .ipc: "\(endpoint)#\(text)"
        case .tcp: "\(endpoint)"
        }
    }
}
