import Delivery
import FoundationEssentials
import Glibc
import HTTPServing
import NIOCore
import Program

/// A listening socket shared by the replicas of a home; they see it for as long as this exists.
final class SharedListener: Sendable {
    typealias Socket = NIOAsyncChannel<AcceptedConnection, Never>

    let socket: Socket
    let url: String
    private let membership: FileLock

    fileprivate init(_ socket: Socket, url: String, _ membership: consuming FileLock) {
        self.socket = socket
        self.url = url
        self.membership = membership
    }
}

/// An address of a home: the first replica binds it, the others share it.
///
/// `SO_REUSEPORT` lets any process of this user listen at a port that is in use, so a second home configured for
/// the same port would silently take half of the connections. A replica that finds no other alive therefore tries the
/// port without that option first. Port 0 becomes the home's last port, if it is free: clients keep the
/// same address after a restart.
struct SharedAddress: Sendable {
    static let attempts = 250
    /// Attempts at a port that is in use: another replica may be about to announce it.
    static let portAttempts = 25
    static let pauseMilliseconds = 20

    enum Fault: Error, Equatable, CustomStringConvertible {
        case inUse(ListenAddress, member: String = SharedAddress.publicMember)
        case replicas

        var description: String {
            switch self {
            case .inUse(let address, let member):
                "\(address) is in use by another program; change \(member)"
            case .replicas: "another gateway of this home does not finish its start; see its log"
            }
        }
    }

    static let publicMember = "http.listen"

    private let wanted: ListenAddress
    private let member: String
    private let configurationFile: String
    private let addressFile: String
    private var lockFile: String { addressFile + ".lock" }

    init(_ wanted: ListenAddress, forOperations: Bool = false, home: Home) {
        self.wanted = wanted
        member = forOperations ? "http.operations" : Self.publicMember
        configurationFile = home.configurationFile
        addressFile = forOperations ? home.operationsAddressFile : home.gatewayAddressFile
    }

    /// Listens, writes the address into the home, and joins the other replicas.
    ///
    /// - Throws: `Fault`, `ConfigurationError`, `FileLock.Fault`, or what `bind` throws.
    func listen(_ bind: (SocketAddress) async throws -> SharedListener.Socket) async throws -> SharedListener
    {
        var occupied = 0
        var bound: (SharedListener.Socket, url: String)?
        for _ in 0..<Self.attempts {
            if bound == nil, let alone = try FileLock.attempt(path: lockFile) {
                if let address = try freeAddress() {
                    bound = try await announce(at: address, bind)
                    _ = consume alone
                    continue
                }
                occupied += 1
                guard occupied < Self.portAttempts else { throw inUse }
            } else if let membership = try FileLock.attempt(path: lockFile, shared: true) {
                if bound == nil { bound = try await announce(at: resolve(port: port), bind) }
                if let (socket, url) = bound { return SharedListener(socket, url: url, membership) }
            }
            try await Task.sleep(for: .milliseconds(Self.pauseMilliseconds))
        }
        throw Fault.replicas
    }

    private var inUse: Fault { .inUse(wanted, member: member) }

    private var notHere: ConfigurationError {
        ConfigurationError(
            file: configurationFile,
            member: member,
            problem: "\(wanted) is no address of this machine; change it"
        )
    }

    private func announce(
        at address: SocketAddress,
        _ bind: (SocketAddress) async throws -> SharedListener.Socket
    ) async throws -> (SharedListener.Socket, url: String) {
        let socket: SharedListener.Socket
        do {
            socket = try await bind(address)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw inUse
        } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL {
            throw notHere
        }
        let port = socket.channel.localAddress?.port ?? wanted.port
        let url = "http://\(ListenAddress(host: wanted.host, port: port))"
        try Data((url + "\n").utf8).write(to: URL(filePath: addressFile), options: .atomic)
        return (socket, url)
    }

    /// An address at which nobody listens; nil when somebody listens at the configured one.
    private func freeAddress() throws -> SocketAddress? {
        let address = ListenAddress(host: wanted.host, port: port)
        if address.isFree { return try resolve(port: address.port) }
        return wanted.port == 0 ? try resolve(port: 0) : nil
    }

    private func resolve(port: Int) throws -> SocketAddress {
        do {
            return try SocketAddress.makeAddressResolvingHost(wanted.host, port: port)
        } catch {
            throw notHere
        }
    }

    /// The configured port; for port 0, the last port of the home's gateways, if any.
    private var port: Int {
        wanted.port == 0 ? ListenAddress(writtenIn: addressFile)?.port ?? 0 : wanted.port
    }
}
