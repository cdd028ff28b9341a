import ArgumentParser
import Contracts
import Foundation
import Testing

@testable import Control
@testable import Delivery
@testable import Program
@testable import ZeroMQ

@Suite struct `what counterfoil.json says of other hosts` {
    /// The public key of libzmq's manual, and another one.
    private static let key = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
    private static let other = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"

    private static func file(_ wire: String, partitions: Int = 1) -> String {
        #"{"partitions":\#(partitions),"apps":[{"bundleId":"a","keys":[{"id":"k","secret":"0123456789abcdef"}]}],"#
            + #""wire":\#(wire)}"#
    }

    private static func hosts(_ hosts: String...) -> String {
        file(#"{"hosts":[\#(hosts.joined(separator: ","))]}"#)
    }

    private static func host(_ address: String, _ members: String, keys: String...) -> String {
        let keys = keys.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"address":"\#(address)","keys":[\#(keys)]\#(members)}"#
    }

    @Test func `is understood, and is the same when it was written and read again`() throws {
        let named = Self.host("b.example.com", #","listen":"0.0.0.0""#, keys: Self.other)
        let text = Self.hosts(Self.host("10.0.0.7", "", keys: Self.key), named)
        let configuration = try Configuration(json: text)
        let wire = try #require(configuration.wire)
        #expect(wire.basePort == 7_400)
        #expect(wire.hosts.map(\.address) == ["10.0.0.7", "b.example.com"])
        #expect(wire.hosts.map(\.listen) == [nil, "0.0.0.0"])
        #expect(wire.hosts.map(\.keys) == [[Self.key], [Self.other]])
        let written = try JSONEncoder().encode(configuration)
        #expect(try Configuration(json: String(decoding: written, as: UTF8.self)) == configuration)
    }

    static let faults: [(String, String, String)] = [
        (file("{}"), "wire.hosts", "is missing"),
        (file(#"{"hosts":[],"port":1}"#), "wire.port", "is not a known member"),
        (hosts(), "wire.hosts", "1 to 64 hosts"),
        (hosts(host("10.0.0.7", "", keys: "short")), "wire.hosts[0].keys[0]", "is no public key"),
        (hosts(host("10.0.0.7", "")), "wire.hosts[0].keys", "must have one key, or two"),
        (hosts(host("10.0.0.7", "", keys: key, other, key)), "wire.hosts[0].keys", "one key, or two"),
        (hosts(host("10.0.0.7", "", keys: key, key)), "wire.hosts", "gives one key to two hosts"),
        (hosts(host("10.0.0.7", "", keys: key), host("::1", "", keys: key)), "wire.hosts", "to two hosts"),
        (hosts(host("::1", "", keys: key), host("::1", "", keys: other)), "wire.hosts", "one address twice"),
        (hosts(host("tcp://10.0.0.7", "", keys: key)), "wire.hosts[0].address", "is no host"),
        (hosts(host("0.0.0.0", "", keys: key)), "wire.hosts[0].address", "is no host"),
        (hosts(host("a.example.com", "", keys: key)), "wire.hosts[0].address", "add \"listen\""),
        (hosts(host("a", #","listen":"eth0""#, keys: key)), "wire.hosts[0].listen", "no numeric address"),
        (file(#"{"basePort":80,"hosts":[]}"#), "wire.basePort", "from 1024 to 65535"),
        (
            file(#"{"basePort":65530,"hosts":[\#(host("10.0.0.7", "", keys: key))]}"#, partitions: 2),
            "wire.basePort", "at most 65528 is possible"
        ),
    ]

    @Test(arguments: faults)
    func `and is wrong is named with its place`(text: String, member: String, says: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try Configuration(json: text) }
        #expect(error.member == member)
        #expect(error.problem.contains(says), "\(error)")
        #expect(error.exitCode == 2)
    }
}

@Suite(.temporaryFolder) struct `a home that speaks to other hosts` {
    private let home: Home

    init() throws { home = try .initialised("--wire", "127.0.0.1:7400", "--partitions", "2") }

    private func change(_ body: (inout Configuration.Wire) -> Void) throws {
        var configuration = try Configuration(writtenIn: home)
        var wire = try #require(configuration.wire)
        body(&wire)
        configuration.wire = wire
        try home.encoded(configuration).write(to: URL(filePath: home.configurationFile))
    }

    private func refusal() throws -> ConfigurationError {
        try #require(throws: ConfigurationError.self) { try Configuration(of: home) }
    }

    private func states() throws -> [KeyRow.State] {
        let keys = try HostKeys(of: home)
        let wire = try Configuration(writtenIn: home).wire
        return keys.pairs.map { KeyRow($0.publicKey, of: keys, in: wire).state }
    }

    @Test func `has a key that its owner alone may read, and ports from the base on`() throws {
        let mode = try FileManager.default.attributesOfItem(atPath: home.hostKeysFile)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let wire = try home.wire(of: try Configuration(of: home))
        let pair = try #require(try HostKeys(of: home).pairs.first)
        #expect(wire.keys?.own.publicKey == pair.publicKey)
        #expect(wire.keys?.hosts == ["127.0.0.1": [pair.publicKey]])
        let endpoint = wire.endpoints.boundEndpoint(of: PartitionAddress(.receipts, 1))
        #expect(endpoint == .tcp(host: "127.0.0.1", port: 7_403))
    }

    @Test func `does so only where its configuration says it`() throws {
        let plain = Home(root: home.root + "-plain")
        try InitCommand.parse(["--home", plain.root]).run()
        let wire = try plain.wire(of: try Configuration(of: plain))
        #expect(wire.keys == nil)
        let orders = PartitionAddress(.orders, 0)
        #expect(wire.endpoints.endpoint(of: orders) == .ipc(path: plain.runFolder + "/orders/0.sock"))
        #expect(!FileManager.default.fileExists(atPath: plain.hostKeysFile))
    }

    @Test func `changes its key with two for a while, and uses the first that is named`() throws {
        try KeysCommand.Make.parse(["--home", home.root]).run()
        let (old, new) = try (HostKeys(of: home).pairs[0], HostKeys(of: home).pairs[1])
        #expect(try states() == [.used, .unnamed])
        try change { $0.hosts[0].keys = [old.publicKey.description, new.publicKey.description] }
        #expect(try states() == [.used, .named])
        try change { $0.hosts[0].keys.reverse() }
        #expect(try states() == [.named, .used])
        #expect(try home.wire(of: try Configuration(of: home)).keys?.own.publicKey == new.publicKey)
        try change { $0.hosts[0].keys.removeLast() }
        #expect(try states() == [.unnamed, .used])
    }

    @Test func `holds so many keys, and no more`() throws {
        for _ in 1..<HostKeys.most { try KeysCommand.Make.parse(["--home", home.root]).run() }
        let error = try #require(throws: ConfigurationError.self) {
            try KeysCommand.Make.parse(["--home", home.root]).run()
        }
        #expect(error.description.contains("holds 8 keys"))
        #expect(try HostKeys(of: home).pairs.count == HostKeys.most)
    }

    @Test func `does not start with keys that others may read`() throws {
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: home.hostKeysFile)
        #expect(try refusal().description.contains("others may read it (mode 640); chmod 600"))
    }

    @Test func `does not start without a key, or with one that is none, and prints no secret`() throws {
        let secret = try HostKeys(of: home).pairs[0].secret
        try Data(#"{"secrets":["\#(secret)x"]}"#.utf8).write(to: URL(filePath: home.hostKeysFile))
        let error = try refusal()
        #expect(error.file == home.hostKeysFile)
        #expect(error.member == "secrets[0]")
        #expect(!error.description.contains(secret))
        try FileManager.default.removeItem(atPath: home.hostKeysFile)
        #expect(try refusal().description.contains("is missing; make keys with `counterfoil keys make`"))
    }

    @Test func `does not start where no host has a key of its own`() throws {
        let other = try CurveKeyPair.make().publicKey.description
        try change { $0.hosts[0].keys = [other] }
        #expect(try refusal().description.contains("names no host with a key of this one"))
    }

    @Test func `does not start at an address of another machine`() throws {
        try change { $0.hosts[0].address = "192.0.2.1" }
        #expect(try refusal().description.contains("192.0.2.1 is no address of this machine"))
        try change { $0.hosts[0].listen = "127.0.0.1" }
        #expect(try Configuration(of: home).wire?.hosts[0].address == "192.0.2.1")
        let elsewhere = home.root + "-elsewhere"
        #expect(throws: ConfigurationError.self) {
            try InitCommand.parse(["--home", elsewhere, "--wire", "192.0.2.1:7400"]).run()
        }
        #expect(!FileManager.default.fileExists(atPath: elsewhere))
    }

    @Test func `does not share stores that have no log with a second host`() throws {
        let other = try CurveKeyPair.make().publicKey.description
        try change { $0.hosts.append(.init(address: "127.0.0.2", keys: [other])) }
        #expect(try refusal().description.contains("names 2 hosts"))
        var configuration = try Configuration(writtenIn: home)
        configuration.store = .init(url: "postgresql://counterfoil@127.0.0.1:1/counterfoil", group: "g")
        try home.encoded(configuration).write(to: URL(filePath: home.configurationFile))
        #expect(try Configuration(of: home).wire?.hosts.count == 2)
    }

    @Test func `hands its keys on with its configuration, whose version they do not change`() throws {
        let snapshot = try SnapshotFile(ConfigurationSnapshot(of: home), of: home)
        try KeysCommand.Make.parse(["--home", home.root]).run()
        #expect(try ConfigurationSnapshot(of: home).version == snapshot.version)
        let environment = [ConfigurationSnapshot.environmentVariable: String(snapshot.descriptor.number)]
        let child = try home.withSnapshot(environment: environment)
        #expect(try HostKeys(of: child).pairs.count == 1)
        #expect(try home.wire(of: try Configuration(of: child)).keys != nil)
    }
}
