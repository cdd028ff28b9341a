import AppStoreSigning
import ArgumentParser
import Foundation
import LoadVerdict
import Program
import TestKit

/// `counterfoil-bench strangers`: what those can do to a gateway who have no key.
struct Strangers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strangers",
        abstract: "Measures what strangers cost who do not read, and those who send slowly.",
        discussion: """
            All come from this machine's own address, whose connections are not counted. First so many connections \
            pipeline GET /openapi.yaml and read nothing, while a phone asks what it holds. Then others announce \
            notifications of 512 KiB, send nine tenths of each at once and the rest byte by byte, while genuine \
            ones come in.
            """
    )

    struct Result: Encodable {
        let readers: ReadersResult
        let senders: SendersResult
    }

    /// Strangers who do not read.
    struct ReadersResult: Encodable {
        let connections: Int
        let pipelinedRequests: Int
        /// Resident memory of the gateway, all of its pages.
        let residentMBBefore: Double
        let residentMBPeak: Double
        /// Answers to a phone beside them; the others were not 200 or did not come.
        let phone: Latencies
    }

    /// Strangers who send slowly.
    struct SendersResult: Encodable {
        let connections: Int
        /// Connections that were ended by the gateway and begun anew.
        let begunAnew: Int
        let residentMBPeak: Double
        let notifications: Latencies
    }

    @Option(help: "Connections that do not read.")
    var readers = 2_000

    @Option(help: "Requests that each of them pipelines.")
    var requests = 2_000

    @Option(help: "Connections that send slowly.")
    var senders = 500

    @Option(help: "Seconds to measure each.")
    var seconds: Double = 15

    func run() async throws {
        Launch.prepare()
        let result = try await TestGroup.use(partitions: 4) { group in
            let gateway = ProcessFigures(pid: try await group.pid(of: "gateway"))
            return Result(
                readers: try await measureReaders(group, gateway),
                senders: try await measureSenders(group, gateway)
            )
        }
        try report(result)
    }

    private func measureReaders(_ group: TestGroup, _ gateway: ProcessFigures) async throws -> ReadersResult {
        let before = try gateway.residentBytes()
        let flood = [UInt8](
            String(repeating: "GET /openapi.yaml HTTP/1.1\r\nHost: g\r\n\r\n", count: requests).utf8
        )
        var strangers = try StrangerConnections(count: readers, port: try port(of: group), beginning: flood)
        let phone = try await latencies(beside: &strangers) {
            await $0.measure { try await group.gateway.get("/v1/buyers/b1/entitlements").status }
        }
        let peak = try gateway.peakResidentBytes()
        strangers.close()
        return ReadersResult(
            connections: readers,
            pipelinedRequests: requests,
            residentMBBefore: (before / 1_000_000).tenths,
            residentMBPeak: (peak / 1_000_000).tenths,
            phone: phone
        )
    }

    private func measureSenders(_ group: TestGroup, _ gateway: ProcessFigures) async throws -> SendersResult {
        let (size, sent) = (512 << 10, 472_000)
        let head =
            "POST /v1/apple/server-notifications HTTP/1.1\r\nHost: g\r\nContent-Length: \(size)\r\n\r\n{"
        let beginning = [UInt8]((head + String(repeating: " ", count: sent)).utf8)
        var strangers = try StrangerConnections(
            count: senders,
            port: try port(of: group),
            beginning: beginning,
            dribble: size - sent - 2
        )
        let purchase = SimulatedPurchase(bundleId: TestHome.bundleID, productId: TestHome.coins)
        let notifications = try await latencies(beside: &strangers) { latencies in
            let transaction = purchase.transaction(at: .now())
            let payload = try group.home.signer.notification("ONE_TIME_CHARGE", about: transaction)
            await latencies.measure { try await group.gateway.notify(payload).status }
        }
        strangers.close()
        return SendersResult(
            connections: senders,
            begunAnew: strangers.begunAnew,
            residentMBPeak: (try gateway.peakResidentBytes() / 1_000_000).tenths,
            notifications: notifications
        )
    }

    /// Measures again and again while the strangers push.
    private func latencies(
        beside strangers: inout StrangerConnections,
        _ measure: (inout Latencies) async throws -> Void
    ) async throws -> Latencies {
        var latencies = Latencies()
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            try strangers.push()
            try await measure(&latencies)
        }
        return latencies
    }

    private func port(of group: TestGroup) throws -> UInt16 {
        guard let port = URLComponents(string: group.gateway.url)?.port.flatMap({ UInt16($0) }) else {
            throw HarnessFault("\(group.gateway.url) has no port")
        }
        return port
    }
}
