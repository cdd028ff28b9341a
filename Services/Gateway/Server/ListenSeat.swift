import Delivery
import Foundation
import Glibc
import Hummingbird
import HummingbirdCore
import NIOCore
import Program

/// A gateway's place among those of its home: the first to come has the port, the others share it.
///
/// `SO_REUSEPORT` lets any process of this user listen at a port that is in use, so a second home configured for
/// the same port would silently take half of the connections. Therefore whoever finds no sibling alive tries the
/// port without that option first. A port of 0 becomes the port that the home had last, if it is free: clients
/// keep the address over restarts.
struct ListenSeat: Sendable {
    typealias Listener = NIOAsyncChannel<HTTP1Channel.Value, Never>

    /// How often a seat is tried for while siblings start at the same moment.
    static let attempts = 250
    /// How often a port that is in use is tried: a sibling may be about to say that it is its own.
    static let portAttempts = 25
    /// The pause between two attempts, in ms.
    static let pauseMilliseconds = 20

    /// Why the gateway cannot listen.
    enum Fault: Error, Equatable, CustomStringConvertible {
        case inUse(ListenAddress, member: String = ListenSeat.publicMember)
        case siblings

        var description: String {
            switch self {
            case .inUse(let address, let member):
                "\(address) is in use by another program; change \(member)"
            case .siblings: "another gateway of this home does not finish its start; look at its log"
            }
        }
    }

    /// A seat that is taken; siblings see it for as long as this exists.
    final class Taken: Sendable {
        let listener: Listener
        let url: String
        private let membership: FileLock

        fileprivate init(_ listener: Listener, url: String, _ membership: consuming FileLock) {
            self.listener = listener
            self.url = url
            self.membership = membership
        }
    }

    static let publicMember = "http.listen"

    private let wanted: ListenAddress
    /// What of the configuration names the address.
    private let member: String
    private let configurationFile: String
    private let addressFile: String
    private var lockFile: String { addressFile + ".lock" }

    /// A seat among the gateways of this home.
    init(_ wanted: ListenAddress, home: Home) {
        self.init(wanted, Self.publicMember, home.configurationFile, home.gatewayAddressFile)
    }

    /// A seat where operators ask the gateways of this home.
    init(operations wanted: ListenAddress, home: Home) {
        self.init(wanted, "http.operations", home.configurationFile, home.operationsAddressFile)
    }

    private init(_ wanted: ListenAddress, _ member: String, _ configuration: String, _ address: String) {
        self.wanted = wanted
        self.member = member
        configurationFile = configuration
        addressFile = address
    }

    /// Listens, tells the home where, and joins the siblings.
    ///
    /// - Throws: `Fault`, `ConfigurationError`, `FileLock.Fault`, or what `listen` throws.
    func take(_ listen: (SocketAddress) async throws -> Listener) async throws -> Taken {
        var occupied = 0
        for _ in 0..<Self.attempts {
            if let alone = try FileLock.attempt(path: lockFile) {
                if let address = try freeAddress() {
                    let listener = try await self.listen(at: address, listen)
                    let url = try announce(listener)
                    _ = consume alone
                    return try await join(listener, url)
                }
                occupied += 1
                guard occupied < Self.portAttempts else { throw Fault.inUse(wanted, member: member) }
            } else if let lock = try FileLock.attempt(path: lockFile, shared: true) {
                let address = try resolve(port: wanted.port == 0 ? lastPort : wanted.port)
                let listener = try await self.listen(at: address, listen)
                return Taken(listener, url: try announce(listener), lock)
            }
            try await Task.sleep(for: .milliseconds(Self.pauseMilliseconds))
        }
        throw Fault.siblings
    }

    private func join(_ listener: Listener, _ url: String) async throws -> Taken {
        for _ in 0..<Self.attempts {
            if let lock = try FileLock.attempt(path: lockFile, shared: true) {
                return Taken(listener, url: url, lock)
            }
            try await Task.sleep(for: .milliseconds(Self.pauseMilliseconds))
        }
        throw Fault.siblings
    }

    private func listen(
        at address: SocketAddress,
        _ listen: (SocketAddress) async throws -> Listener
    ) async throws -> Listener {
        do {
            return try await listen(address)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw Fault.inUse(wanted, member: member)
        } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL {
            throw notHere
        }
    }

    private var notHere: ConfigurationError {
        ConfigurationError(
            file: configurationFile,
            member: member,
            problem: "\(wanted) is no address of this machine; change it"
        )
    }

    /// An address at which nobody listens; nil when somebody listens at the one that is wanted.
    private func freeAddress() throws -> SocketAddress? {
        let port = wanted.port == 0 ? lastPort : wanted.port
        let address = try resolve(port: port)
        if port == 0 || Self.isFree(address) { return address }
        return wanted.port == 0 ? try resolve(port: 0) : nil
    }

    private func resolve(port: Int) throws -> SocketAddress {
        do {
            return try SocketAddress.makeAddressResolvingHost(wanted.host, port: port)
        } catch {
            throw notHere
        }
    }

    /// The port that the home's gateways had last; 0 when there was none.
    private var lastPort: Int {
        guard let bytes = FileManager.default.contents(atPath: addressFile),
            let colon = bytes.lastIndex(of: UInt8(ascii: ":")),
            let text = String(validating: bytes[bytes.index(after: colon)...], as: UTF8.self),
            let port = UInt16(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return 0 }
        return Int(port)
    }

    private func announce(_ listener: Listener) throws -> String {
        let port = listener.channel.localAddress?.port ?? wanted.port
        let url = "http://\(ListenAddress(host: wanted.host, port: port))"
        try Data((url + "\n").utf8).write(to: URL(filePath: addressFile), options: .atomic)
        return url
    }

    /// Whether an ordinary socket, which shares with nobody, could listen at this address.
    private static func isFree(_ address: SocketAddress) -> Bool {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let probe = socket(address.protocol.rawValue, kind, 0)
        guard probe >= 0 else { return true }
        defer { close(probe) }
        var enabled: Int32 = 1
        setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &enabled, socklen_t(MemoryLayout<Int32>.size))
        let result = address.withSockAddr { bind(probe, $0, socklen_t($1)) }
        return result == 0 || errno != EADDRINUSE
    }
}
