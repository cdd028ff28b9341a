import Contracts
import HTTPTypes
import Hummingbird
import NIOCore
import Program

/// `/metrics`: figures of all partitions and of this gateway, in Prometheus' text format.
struct MetricsRoutes: Sendable {
    /// The age of the oldest order that is paid and not granted; it stands first, because it matters most.
    static let paidUngranted = "counterfoil_paid_ungranted_oldest_seconds"

    let edge: Edge

    /// The routes of the resource.
    var routes: [Route] { [Route(.get, "/metrics", metrics)] }

    @Sendable private func metrics(
        _ request: Request,
        _ context: BasicRequestContext
    ) async throws -> Response {
        let lines = try await edge.statuses.lines()
        var text = PrometheusText()
        addGroup(lines, to: &text)
        for line in lines { add(line, to: &text) }
        for line in lines { addGauges(line, to: &text) }
        addGateway(to: &text)
        return Response(
            status: .ok,
            headers: [.contentType: PrometheusText.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text.text))
        )
    }

    private func addGroup(_ lines: [StatusBoard.Line], to text: inout PrometheusText) {
        let oldest = lines.compactMap { $0.status?.gauges[Self.paidUngranted] }.max() ?? 0
        text.add(Self.paidUngranted, oldest, help: "Age of the oldest order that is paid and not granted.")
    }

    private func add(_ line: StatusBoard.Line, to text: inout PrometheusText) {
        let labels = labels(line.partition)
        let isUp = line.status == nil ? 0.0 : 1.0
        text.add("counterfoil_partition_up", isUp, labels: labels, help: "Whether the partition answers.")
        guard let status = line.status else { return }
        let figures: KeyValuePairs<String, Double> = [
            "epoch": Double(status.epoch),
            "outbox": Double(status.outbox),
            "oldest_unsettled_seconds": Double(status.oldestUnsettledMs) / 1_000,
            "held": Double(status.held),
            "dead_letters": Double(status.deadLetters),
            "quarantined_links": Double(status.quarantinedLinks),
        ]
        for (name, value) in figures { text.add("counterfoil_partition_\(name)", value, labels: labels) }
        let (service, number) = (line.partition.service.rawValue, line.partition.partition)
        addConfiguration(status.configuration, of: service, number, to: &text)
    }

    /// Which configuration a program runs with: more than one in a group wants a look.
    private func addConfiguration(
        _ version: String,
        of program: String,
        _ number: Int,
        to text: inout PrometheusText
    ) {
        text.add(
            "counterfoil_configuration",
            1,
            labels: ["service": program, "number": String(number), "version": version],
            help: "The configuration of a partition's owner, and of this replica of the gateway."
        )
    }

    private func addGauges(_ line: StatusBoard.Line, to text: inout PrometheusText) {
        guard let gauges = line.status?.gauges else { return }
        for (name, value) in gauges.sorted(by: { $0.key < $1.key }) where name != Self.paidUngranted {
            text.add(name, value, labels: labels(line.partition))
        }
    }

    private func addGateway(to text: inout PrometheusText) {
        addConfiguration(edge.configuration.version, of: Gateway.name, edge.replica, to: &text)
        text.add(
            "counterfoil_gateway_connections_refused_total",
            Double(edge.refusedConnections.count),
            labels: ["replica": String(edge.replica)],
            kind: .counter,
            help: "Connections closed because their address had too many."
        )
        let lanes = [
            ("purchases", edge.admission.purchases), ("notifications", edge.admission.notifications),
        ]
        let figures: [(name: String, help: String, read: (Lane) -> Int)] = [
            ("in_flight", "Requests and waits in hand in this replica.", \.inFlight),
            ("body_bytes", "Bytes of bodies in hand in this replica that are counted.", \.bytesInHand),
            ("answered_total", "Requests that this replica answered.", \.answered),
            (
                "turned_away_total", "Requests turned away because this replica had too much in hand.",
                \.turnedAway
            ),
        ]
        for figure in figures {
            for (name, lane) in lanes {
                text.add(
                    "counterfoil_gateway_\(figure.name)",
                    Double(figure.read(lane)),
                    labels: ["replica": String(edge.replica), "lane": name],
                    kind: figure.name.hasSuffix("_total") ? .counter : .gauge,
                    help: figure.help
                )
            }
        }
    }

    private func labels(_ partition: PartitionAddress) -> KeyValuePairs<String, String> {
        ["service": partition.service.rawValue, "partition": String(partition.partition)]
    }
}
