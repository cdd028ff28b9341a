import Dispatch
import Foundation
import Testing

@testable import PostgreSQL

@Suite struct `the name of a server` {
    /// A resolver that says at first where the server is, and then nothing until it is let go.
    private final class Resolver: @unchecked Sendable {  // A lock guards what threads share.
        let isLetGo = DispatchSemaphore(value: 0)
        private let lock = NSLock()
        private var calls = 0

        var count: Int { lock.withLock { calls } }

        func resolve(_ name: String) -> [String] {
            let call = lock.withLock {
                calls += 1
                return calls
            }
            if call > 1 { isLetGo.wait() }
            return call > 1 ? ["10.0.0.3"] : ["10.0.0.1", "10.0.0.2"]
        }
    }

    private let host = LogAddress.Host(name: "db.example.com", port: 1)

    @Test
    func `is waited for as long as there is time, with heartbeats, and its former addresses serve then`()
        throws
    {
        let resolver = Resolver()
        let names = NameLookup { resolver.resolve($0) }
        let pulse = Pulse(interval: 10)
        var beats = 0
        pulse.beat = { if $0 { beats += 1 } }
        let long = 10_000
        #expect(try names.addresses(of: host, pulse, until: Deadline(in: long)) == ["10.0.0.1", "10.0.0.2"])
        for _ in 1...3 {
            let found = try names.addresses(of: host, pulse, until: Deadline(in: 50))
            #expect(found == ["10.0.0.1", "10.0.0.2"])
        }
        #expect(beats > 0)
        resolver.isLetGo.signal()
        #expect(try names.addresses(of: host, pulse, until: Deadline(in: long)) == ["10.0.0.3"])
        #expect(resolver.count == 2, "one look-up of a name at a time")
    }

    @Test func `that nobody knows is no server`() {
        let names = NameLookup { _ in [] }
        #expect(throws: SessionFault.silent("there is no such name")) {
            try names.addresses(of: host, Pulse(interval: 10), until: Deadline(in: 10_000))
        }
    }

    @Test(
        arguments: [("/run/postgresql", nil), ("127.0.0.1", ["127.0.0.1"]), ("::1", ["::1"])]
            as [(String, [String]?)]
    )
    func `that is an address or a folder asks nobody`(name: String, addresses: [String]?) throws {
        let names = NameLookup { _ in
            Issue.record("it was looked up")
            return []
        }
        let host = LogAddress.Host(name: name, port: 1)
        #expect(try names.addresses(of: host, Pulse(interval: 10), until: Deadline(in: 10_000)) == addresses)
    }

    @Test func `of this machine is found by the system`() {
        #expect(!Set(NameLookup.system("localhost")).isDisjoint(with: ["127.0.0.1", "::1"]))
    }
}
