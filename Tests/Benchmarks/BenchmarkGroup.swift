import AppStoreSigning
import Dispatch
import Foundation
import Glibc
import NIOConcurrencyHelpers

/// A running group in a temporary test home, which trusts the certificates of a simulated App Store.
final class BenchmarkGroup: Sendable {
    private static let control = SiblingProgram("counterfoil")
    /// Ports below those that the system gives to connections: a client that tries a port at which nobody
    /// listens any more may otherwise get that very port for itself, and keep it.
    private static let ports = 20_000..<30_000

    let folder: String
    let gateway: String
    let apiKey: String
    var home: String { folder + "/home" }
    var appstoreState: String { folder + "/appstore" }
    /// What runs beside the group and ends with it.
    private let companions = NIOLockedValueBox<[SiblingProgram.Run]>([])

    private init(folder: String, gateway: String, apiKey: String) {
        self.folder = folder
        self.gateway = gateway
        self.apiKey = apiKey
    }

    /// Runs a group around `body`, then ends and removes it, even when the benchmark is interrupted.
    static func run<Value>(
        replicas: Int = 1,
        partitions: Int = 4,
        _ body: (BenchmarkGroup) throws -> Value
    ) throws -> Value {
        let group = try make(partitions: partitions)
        let interruptions = group.interruptions()
        defer { for interruption in interruptions { interruption.cancel() } }
        do {
            try group.start(replicas: replicas)
            let value = try body(group)
            try group.end()
            return value
        } catch {
            throw group.ended(by: error)
        }
    }

    /// The same for a body that waits; `preparing` sees the home before the group is started.
    static func run<Value>(
        partitions: Int = 4,
        preparing: (BenchmarkGroup) async throws -> Void,
        _ body: (BenchmarkGroup) async throws -> Value
    ) async throws -> Value {
        let group = try make(partitions: partitions)
        let interruptions = group.interruptions()
        defer { for interruption in interruptions { interruption.cancel() } }
        do {
            try await preparing(group)
            try group.start(replicas: 1)
            let value = try await body(group)
            try group.end()
            return value
        } catch {
            throw group.ended(by: error)
        }
    }

    private func start(replicas: Int) throws {
        try Self.control.run(["up", "--detach", "--home", home, "--replicas", String(replicas)])
    }

    /// Bytes of the stores of all services, by service, while the group rests: whatever closes a store checkpoints it.
    func restingStoreBytes() throws -> [String: Int] {
        try Self.control.run(["down", "--home", home])
        var bytes: [String: Int] = [:]
        let data = URL(filePath: home + "/data")
        for service in try FileManager.default.contentsOfDirectory(atPath: data.path()) {
            let folder = data.appending(path: service)
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
                let path = folder.appending(path: file).path()
                let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                bytes[service, default: 0] += size ?? 0
            }
        }
        try start(replicas: 1)
        return bytes
    }

    /// Starts a program that ends with the group.
    func accompany(_ program: SiblingProgram, _ arguments: [String]) throws {
        let run = try program.start(arguments)
        companions.withLockedValue { $0.append(run) }
    }

    private static func make(partitions: Int) throws -> BenchmarkGroup {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cf-bench-\(getpid())").path()
        let root = folder + "/root.der"
        let signer = try AppStoreSigner(stateFolder: folder + "/appstore")
        try Data(signer.rootDER).write(to: URL(filePath: root))
        let address = "127.0.0.1:\(try freePort())"
        try control.run([
            "init", "--test", "--home", folder + "/home", "--listen", address, "--extra-root", root,
            "--partitions", String(partitions),
        ])
        return BenchmarkGroup(
            folder: folder,
            gateway: "http://\(address)",
            apiKey: try apiKey(of: folder + "/home")
        )
    }

    // MARK: Its end

    private func end() throws {
        // 3: it was not running.
        let down = Result { try Self.control.run(["down", "--home", home], codes: [0, 3]) }
        let companions = companions.withLockedValue { companions in
            defer { companions = [] }
            return companions
        }
        for companion in companions {
            companion.destroy()
            _ = try companion.finish(codes: Set(0...255))
        }
        _ = try down.get()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Ends the group after an error, which is given back.
    private func ended(by error: any Error) -> any Error {
        do { try end() } catch { FileHandle.standardError.write(Data("\(error)\n".utf8)) }
        return error
    }

    private func interruptions() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in
                do { try end() } catch { FileHandle.standardError.write(Data("\(error)\n".utf8)) }
                exit(128 + number)
            }
            source.activate()
            return source
        }
    }

    private static func apiKey(of home: String) throws -> String {
        struct Configuration: Decodable {
            struct App: Decodable { let keys: [Key] }
            struct Key: Decodable { let secret: String }
            let apps: [App]
        }
        let data = try Data(contentsOf: URL(filePath: home + "/counterfoil.json"))
        guard let key = try JSONDecoder().decode(Configuration.self, from: data).apps.first?.keys.first else {
            throw SiblingProgram.Failure(description: "counterfoil init made no key")
        }
        return key.secret
    }

    /// A port at which nobody listens.
    static func freePort() throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: ports)
            if isFree(UInt16(port)) { return port }
        }
        throw SiblingProgram.Failure(description: "no port from \(ports) is free")
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    // MARK: Its processes

    private struct Status: Decodable {
        struct Service: Decodable {
            let service: String
            let replicas: [Replica]
        }
        struct Replica: Decodable {
            let replica: Int
            let pid: Int32?
        }
        let services: [Service]
    }

    /// The processes of every service and of the gateway.
    func processes() throws -> [String: [Int32]] {
        let data = try Self.control.run(["status", "--json", "--home", home])
        let status = try JSONDecoder().decode(Status.self, from: data)
        return Dictionary(
            status.services.map { ($0.service, $0.replicas.compactMap(\.pid)) },
            uniquingKeysWith: +
        )
    }
}
