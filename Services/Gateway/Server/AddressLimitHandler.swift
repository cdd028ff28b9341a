import NIOConcurrencyHelpers
import NIOCore
import Program

/// Closes the connections of an address that has too many.
///
/// An IPv6 address is counted by its first 64 bits, because its owner has all of these addresses.
final class AddressLimitHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private static let countedBytes = 8

    private let limits: ConnectionLimits
    private var counts: [[UInt8]: Int] = [:]

    init(_ limits: ConnectionLimits) { self.limits = limits }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = Self.unwrapInboundIn(data)
        if let peer = channel.remoteAddress?.ipAddress.flatMap({ AddressRange.bytes(ofAddress: $0) }),
            !limits.exempt.contains(where: { $0.contains(peer) })
        {
            let key = Array(peer.prefix(Self.countedBytes))
            guard counts[key, default: 0] < limits.perAddress else {
                limits.refused.withLockedValue { $0 += 1 }
                channel.close(promise: nil)
                return
            }
            counts[key, default: 0] += 1
            channel.closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { [self] _ in
                let left = counts[key, default: 1] - 1
                counts[key] = left > 0 ? left : nil
            }
        }
        context.fireChannelRead(data)
    }
}
