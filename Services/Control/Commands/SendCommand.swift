import ArgumentParser
import Contracts
import Delivery
import Program

struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Sends a request to the partition that its data concerns and prints the reply.",
        discussion: """
            Requests only, such as counterfoil.order.get.v1: events travel on links, and can be tried with \
            `counterfoil-<service> --stdio`. Example: \
            counterfoil send orders counterfoil.order.get.v1 \
            --data '{"bundleId":"com.example.game","orderId":"…"}'
            """
    )

    @OptionGroup var option: HomeOption

    @Argument(help: "orders, receipts, entitlements or notifications.")
    var service: GroupProgram

    @Argument(help: "The type of the message, such as counterfoil.order.get.v1.")
    var type: String

    @Option(help: "The data of the message: JSON, or @ and the name of a file that holds it.")
    var data: String

    @Option(help: "The partition (default: the one that the data concerns).")
    var partition: Int?

    @Option(help: "The subject (default: that of the data).")
    var subject: String?

    func run() async throws {
        guard let service = service.service else { throw ValidationError("the gateway takes no messages.") }
        guard !ActingTypes.all.contains(type) else {
            throw CommandFailure.usage(
                "\(type) is an operator's act: use its command, with a key in \(DeskClient.keyVariable)"
            )
        }
        let data = try RequestData(data)
        let reply = try await PartitionInquiry.of(option.home) { inquiry in
            let (address, subject) = try route(data, service, partitions: inquiry.partitions)
            let (event, identifier) = try event(data.value, subject: subject)
            do {
                return try await inquiry.ask(event, identifier, of: address)
            } catch let failure as CommandFailure {
                throw data.located(failure)
            }
        }
        print(reply)
    }

    private func route(
        _ data: RequestData,
        _ service: ServiceName,
        partitions: Int
    ) throws -> (PartitionAddress, subject: String) {
        let found = PartitionRouter(service, data: data.value, partitions: partitions)
        let named = partition.map { PartitionAddress(service, $0) }
        if let partition, !(0..<partitions).contains(partition) {
            throw CommandFailure.usage("--partition must be from 0 to \(partitions - 1)")
        }
        guard let address = named ?? found?.address else { throw CommandFailure.usage(data.routingProblem) }
        return (address, subject ?? found?.subject ?? "-")
    }

    private func event(_ data: JSONValue, subject: String) throws -> ([UInt8], EventID) {
        let identifier = IdentifierSource.eventID()
        let members: [String: JSONValue] = [
            "specversion": .string("1.0"),
            "id": .string(identifier.rawValue),
            "source": .string("/operator"),
            "type": .string(type),
            "time": .string(ClockReading.current().now.rfc3339),
            "subject": .string(subject),
            "data": data,
        ]
        return ([UInt8](try EventCoder.encoder().encode(JSONValue.object(members))), identifier)
    }
}
